--- Where the server's program is. In this order: the option `cmd`, the variable EDIT_ASSIST_LS, PATH.
--- Nothing that depends on the current folder is run: no relative path, no relative entry of PATH.

local M = {}

local PROGRAM = 'edit-assist-ls'

---@class edit_assist.Server
---@field program string full path
---@field arguments string[] what was given beside the program, without `--stdio`
---@field via string by which of the three it was found

---@param path string
---@return boolean
local function is_absolute(path)
  return path:match('^/') ~= nil or path:match('^%a:[/\\]') ~= nil
end

---@param path string
---@return boolean
local function can_run(path)
  local stat = vim.uv.fs_stat(path)
  return stat ~= nil and stat.type == 'file' and vim.uv.fs_access(path, 'X') == true
end

--- The full path of a program that is named by a full path (a leading ~ is the home folder) or by a name on PATH.
---@param name string
---@return string?
local function program_named(name)
  local path = name:gsub('^~%f[/%z]', function()
    return vim.uv.os_homedir()
  end)
  if is_absolute(path) then
    return can_run(path) and path or nil
  end
  if path:find('[/\\]') then
    return nil
  end
  local separator = vim.fn.has('win32') == 1 and ';' or ':'
  for folder in vim.gsplit(vim.env.PATH or '', separator, { plain = true }) do
    for _, suffix in ipairs(vim.fn.has('win32') == 1 and { '.exe', '' } or { '' }) do
      local candidate = vim.fs.joinpath(folder, path .. suffix)
      if is_absolute(folder) and can_run(candidate) then
        return candidate
      end
    end
  end
  return nil
end

---@param line string a full path, which may hold spaces, or words apart by spaces
---@return string[]
local function words_of(line)
  return program_named(line) and { line } or vim.split(vim.trim(line), '%s+')
end

--- The server's program, or a sentence that says why there is none.
---@return edit_assist.Server? found
---@return string? problem
function M.find()
  local words = require('edit_assist.words')
  local configured = require('edit_assist.settings').get().cmd
  local variable = vim.trim(vim.env.EDIT_ASSIST_LS or '')
  local via, command = 'PATH', { PROGRAM }
  if configured then
    via, command = 'the option cmd', configured
  elseif variable ~= '' then
    via, command = 'EDIT_ASSIST_LS', words_of(variable)
  end
  local program = program_named(command[1])
  if not program then
    return nil, via == 'PATH' and words.no_server() or words.no_program(via, command[1])
  end
  local arguments = vim.tbl_filter(function(word)
    return word ~= '--stdio'
  end, vim.list_slice(command, 2))
  return { program = program, arguments = arguments, via = via }
end

--- How a program is started: where nobody leaves configuration for it, and without modules from the current folder.
---@return { cwd: string, env: table<string, string> }
function M.surroundings()
  local folder = vim.fn.has('win32') == 1 and vim.uv.os_homedir() or '/'
  return { cwd = folder, env = { PYTHONSAFEPATH = '1' } }
end

--- The words that run the server with these arguments.
---@param found edit_assist.Server
---@param ... string
---@return string[]
function M.command(found, ...)
  return vim.list_extend(vim.list_extend({ found.program }, found.arguments), { ... })
end

return M
