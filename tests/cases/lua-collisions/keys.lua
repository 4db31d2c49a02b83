-- keys.lua PLACE: makes the same 6000 strings of 64 characters again and again, while they are held.
-- The digits of a string's number are at every third place up to PLACE, all other characters are
-- the same.
local place = tonumber(arg[1])

local letters = {}
for i = 1, 64 do letters[i] = "k" end

local function key(number)
	for digit = 0, 5 do
		letters[place - 3 * digit] = math.floor(number / 10 ^ digit) % 10
	end
	return table.concat(letters)
end

local held = {}
for round = 1, 5 do
	for number = 1, 6000 do held[number] = key(number) end
	io.stderr:write("round ", round, "\n")
end
