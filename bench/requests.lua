-- For wrk: sends the requests of a file (BENCH_REQUESTS), one after the other, from the first again if need be.
-- Each stands in the file as its length in bytes, a line feed, and its bytes. At the end: one line of JSON.
local sent, requests = -1, {} -- wrk asks for one request more, the very first, and does not send it

function init()
  local file = assert(io.open(os.getenv('BENCH_REQUESTS'), 'rb'))
  for size in file:lines() do
    requests[#requests + 1] = file:read(tonumber(size))
  end
  file:close()
end

function request()
  sent = sent + 1
  return requests[math.max(sent - 1, 0) % #requests + 1]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format('{"requests": %d, "microseconds": %d, "failed": %d, "p50": %d, "p99": %d}\n',
    summary.requests, summary.duration,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    latency:percentile(50), latency:percentile(99)))
end
