-- Puts a value if the entry is as expected.
-- KEYS: the entry, the index, the expiries, the last version.
-- ARGV: the key, the expected version or "*" or "-", the time to live or "", the value.
local head = redis.call('GETRANGE', KEYS[1], 0, 15)
local current = head == '' and '-' or head
if ARGV[2] ~= '*' and ARGV[2] ~= current then
  return {0, head}
end
local time = redis.call('TIME')
local last = tonumber(redis.call('GET', KEYS[4]) or '0')
-- By the clock, so that versions go on even if the server lost its last writes.
local version = string.format('%016.0f', math.max(last + 1, time[1] * 1000000 + time[2]))
-- The first write is one that a full server refuses, so that nothing is done by halves.
redis.call('SET', KEYS[4], version)
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if ARGV[3] == '' then
  redis.call('SET', KEYS[1], version .. ARGV[4])
  redis.call('ZREM', KEYS[3], ARGV[1])
else
  redis.call('SET', KEYS[1], version .. ARGV[4], 'PX', ARGV[3])
  redis.call('ZADD', KEYS[3], string.format('%.0f', now + tonumber(ARGV[3])), ARGV[1])
end
redis.call('ZADD', KEYS[2], 0, ARGV[1])
-- The server removes entries whose time is over; each put tidies the index behind a few of them.
local base = string.sub(KEYS[1], 1, #KEYS[1] - #ARGV[1])
local over = redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', string.format('(%.0f', now), 'LIMIT', 0, 8)
for _, key in ipairs(over) do
  if redis.call('EXISTS', base .. key) == 0 then
    redis.call('ZREM', KEYS[2], key)
    redis.call('ZREM', KEYS[3], key)
  end
end
return {1, version}
