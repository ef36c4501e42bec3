-- One change of one game, whole or not at all, and at most once.
-- KEYS: the game's hash, its event stream, the memo of the request (if it has an idempotency key)
-- ARGV: the new version, the time, state, events, seconds to live, versions of events kept, this change's
--       nonce, the memo's text and its seconds to live (both empty without a memo), [meta: a new game]
-- Answers the memo that is there already, else the new version, else (when another change came first) the
-- stored version negated; 0: no such game.
if KEYS[3] then
  local memo = redis.call('GET', KEYS[3])
  if memo then
    return memo
  end
end
local version = tonumber(ARGV[1])
local stored = redis.call('HMGET', KEYS[1], 'version', 'nonce')
local current = tonumber(stored[1] or 0)
if current == version and stored[2] == ARGV[7] then
  return version -- this very change was made already, only the reply to it was lost
end
if current ~= version - 1 then
  return -current
end
redis.call('HSET', KEYS[1], 'version', version, 'updated_at', ARGV[2], 'state', ARGV[3], 'nonce', ARGV[7])
if ARGV[10] then
  redis.call('HSET', KEYS[1], 'meta', ARGV[10])
end
redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[6], version .. '-0', 'at', ARGV[2], 'events', ARGV[4])
redis.call('EXPIRE', KEYS[1], ARGV[5])
redis.call('EXPIRE', KEYS[2], ARGV[5])
if KEYS[3] then
  redis.call('SET', KEYS[3], ARGV[8], 'EX', ARGV[9])
end
redis.pcall('PUBLISH', KEYS[2], ARGV[7]) -- a hint for who waits; without leave to publish there is none
return version
