-- Deletes an entry if it is as expected.
-- KEYS: the entry, the index, the expiries. ARGV: the key, the expected version or "*" or "-".
local head = redis.call('GETRANGE', KEYS[1], 0, 15)
local current = head == '' and '-' or head
if ARGV[2] ~= '*' and ARGV[2] ~= current then
  return {0, head}
end
redis.call('DEL', KEYS[1])
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('ZREM', KEYS[3], ARGV[1])
return {1, head}
