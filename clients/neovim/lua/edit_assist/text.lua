--- Texts of models as text: one line, no control characters, bounded. And the times that come with them.

local M = {}

local NAMED = { ['\n'] = '\\n', ['\r'] = '\\r', ['\t'] = '\\t' }

-- In UTF-8: C1 controls; characters without width but for the one that joins emoji; marks that turn the direction of
-- writing; separators of lines and paragraphs; the byte order mark.
local HIDDEN = { '\194[\128-\159]', '\226\128[\139\140\142\143\168-\174]', '\226\129[\160-\175]', '\239\187\191' }

---@param character string
local function named(character)
  return NAMED[character] or ('\\x%02x'):format(character:byte())
end

---@param character string
local function numbered(character)
  return ('\\u{%x}'):format(vim.fn.char2nr(character))
end

--- A text on one line, cut to `width` characters; what would not be seen, or would change what is seen, is escaped.
---@param text any anything but a string is shown as Lua shows it
---@param width? integer at most so many characters; 400 where absent
---@return string
function M.one_line(text, width)
  width = width or 400
  local line = type(text) == 'string' and text or vim.inspect(text)
  -- A character is four bytes at most: what lies beyond would be cut anyway.
  line = line:sub(1, 4 * width + 4):gsub('[%z\1-\31\127]', named)
  for _, pattern in ipairs(HIDDEN) do
    line = line:gsub(pattern, numbered)
  end
  if vim.fn.strchars(line) > width then
    line = vim.fn.strcharpart(line, 0, width - 1) .. '…'
  end
  return line
end

--- The same, for 'winbar' and its kind, where a percent sign has a meaning.
---@param text string
---@return string
function M.for_bar(text)
  return (M.one_line(text, 200):gsub('%%', '%%%%'))
end

--- Seconds since 1970 of a time such as 2026-12-01T09:30:00.250Z; nil where it is none.
---@param at any
---@return number?
function M.seconds(at)
  if type(at) ~= 'string' then
    return nil
  end
  local year, month, day, hour, minute, second, zone =
    at:match('^(%d%d%d%d)-(%d%d)-(%d%d)[Tt](%d%d):(%d%d):(%d%d%.?%d*)(.*)$')
  if not year then
    return nil
  end
  local offset = 0
  local sign, hours, minutes = zone:match('^([+-])(%d%d):(%d%d)$')
  if sign then
    offset = (tonumber(hours) * 60 + tonumber(minutes)) * (sign == '-' and -60 or 60)
  elseif zone ~= 'Z' and zone ~= 'z' then
    return nil
  end
  -- Days since 1970, with years that begin in March, so that the day that leap years add is the last.
  local y, m = tonumber(year), tonumber(month)
  y, m = m <= 2 and y - 1 or y, (m + 9) % 12
  local days = 365 * y + math.floor(y / 4) - math.floor(y / 100) + math.floor(y / 400) - 719469
  days = days + math.floor((153 * m + 2) / 5) + tonumber(day)
  return ((days * 24 + tonumber(hour)) * 60 + tonumber(minute)) * 60 + tonumber(second) - offset
end

--- A time as a person at this machine says it: the time of day, before it the day where it was not within 20 hours.
---@param at any
---@return string
function M.clock(at)
  local seconds = M.seconds(at)
  if not seconds then
    return '--:--'
  end
  local format = math.abs(os.time() - seconds) < 20 * 3600 and '%H:%M' or '%d %b %H:%M'
  return tostring(os.date(format, math.floor(seconds)))
end

return M
