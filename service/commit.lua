-- One change of one game, whole or not at all.
-- KEYS: the game's hash, its event stream
-- ARGV: the new version, the time, state, events, seconds to live, versions of events kept, [meta: a new game]
-- Answers the new version, or the stored version negated (0: no such game) where it is not the one before.
local version = tonumber(ARGV[1])
local stored = tonumber(redis.call('HGET', KEYS[1], 'version') or 0)
if stored ~= version - 1 then
  return -stored
end
redis.call('HSET', KEYS[1], 'version', version, 'updated_at', ARGV[2], 'state', ARGV[3])
if ARGV[7] then
  redis.call('HSET', KEYS[1], 'meta', ARGV[7])
end
redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[6], version .. '-0', 'at', ARGV[2], 'events', ARGV[4])
redis.call('EXPIRE', KEYS[1], ARGV[5])
redis.call('EXPIRE', KEYS[2], ARGV[5])
return version
