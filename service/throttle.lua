-- A rate limit as a leaky bucket (GCRA): what is kept is the time at which the bucket will be empty again.
-- KEYS: the caller's bucket   ARGV: microseconds between requests, microseconds the bucket holds
-- Answers whether the request is refused (1 or 0), and the microseconds until the bucket is empty.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local empty = math.max(tonumber(redis.call('GET', KEYS[1]) or 0), now)
local interval, holds = tonumber(ARGV[1]), tonumber(ARGV[2])
if empty + interval - now > holds then
  return {1, empty - now}
end
empty = empty + interval
redis.call('SET', KEYS[1], string.format('%.0f', empty), 'PX', math.ceil((empty - now) / 1000) + 1000)
return {0, empty - now}
