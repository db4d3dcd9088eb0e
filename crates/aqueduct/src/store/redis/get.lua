-- Reads an entry and what is left of its time. KEYS: the entry.
return {redis.call('GET', KEYS[1]), redis.call('PTTL', KEYS[1])}
