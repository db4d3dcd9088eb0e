-- Reads a page of entries in order.
-- KEYS: the index, the expiries.
-- ARGV: what an entry's key begins with, the bounds, how many entries, how many bytes.
local found, count, bytes, from = {}, 0, 0, ARGV[2]
while true do
  local keys = redis.call('ZRANGEBYLEX', KEYS[1], from, ARGV[3], 'LIMIT', 0, 128)
  for _, key in ipairs(keys) do
    local value = redis.call('GET', ARGV[1] .. key)
    if value then
      bytes = bytes + #value - 16
      if count > 0 and (count >= tonumber(ARGV[4]) or bytes > tonumber(ARGV[5])) then
        return {1, found}
      end
      count = count + 1
      table.insert(found, {key, value, redis.call('PTTL', ARGV[1] .. key)})
    else
      redis.call('ZREM', KEYS[1], key)
      redis.call('ZREM', KEYS[2], key)
    end
  end
  if #keys < 128 then
    return {0, found}
  end
  from = '(' .. keys[#keys]
end
