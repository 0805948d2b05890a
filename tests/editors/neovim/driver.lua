-- Checks of the plugin's functions, by `nvim -l`: they need no server. It prints a line a check, then how many passed.

local passed, failed = 0, 0

---@param name string
---@param check fun()
local function test(name, check)
  local is_well, problem = pcall(check)
  passed, failed = passed + (is_well and 1 or 0), failed + (is_well and 0 or 1)
  io.stdout:write(is_well and 'ok   ' or 'FAIL ', name, is_well and '' or '\n     ' .. tostring(problem), '\n')
end

local function equal(found, wanted)
  if not vim.deep_equal(found, wanted) then
    error(('found %s, wanted %s'):format(vim.inspect(found), vim.inspect(wanted)), 2)
  end
end

local text = require('edit_assist.text')

test('a text is shown on one line, what is hidden is escaped', function()
  equal(text.one_line('a\nb\tc\r\27[31m\0\127'), 'a\\nb\\tc\\r\\x1b[31m\\x00\\x7f')
  equal(text.one_line('x\u{202e}y\u{200b}z\u{85}\u{2028}\u{feff}'), 'x\\u{202e}y\\u{200b}z\\u{85}\\u{2028}\\u{feff}')
  equal(text.one_line('ü 😀 👩\u{200d}🚀 %d `x` |y|'), 'ü 😀 👩\u{200d}🚀 %d `x` |y|')
  equal(text.one_line(nil), 'nil')
end)

test('a text is cut by characters, at any length', function()
  equal(text.one_line(('😀'):rep(50), 10), ('😀'):rep(9) .. '…')
  equal(text.one_line(('😀'):rep(10), 10), ('😀'):rep(10))
  equal(vim.fn.strchars(text.one_line(('x'):rep(1e6), 400)), 400)
end)

test('no byte sequence raises, and nothing shown has a control character', function()
  math.randomseed(7)
  for _ = 1, 300 do
    local bytes = {}
    for at = 1, math.random(0, 60) do
      bytes[at] = string.char(math.random(0, 255))
    end
    local line = text.one_line(table.concat(bytes), 30)
    assert(not line:find('[%c]'), vim.inspect(line))
    assert(vim.fn.strchars(line) <= 30 * 9)
  end
end)

test('a percent sign has no meaning in a bar', function()
  equal(text.for_bar('100% %{system("x")} %#Error#'), '100%% %%{system("x")} %%#Error#')
  local shown = vim.api.nvim_eval_statusline(text.for_bar(' %{1+1} %%'), { use_winbar = true }).str
  equal(vim.trim(shown), '%{1+1} %%')
end)

test('times', function()
  equal(text.seconds('1970-01-01T00:00:00Z'), 0)
  equal(text.seconds('2000-02-29T12:00:00Z'), 951825600)
  equal(text.seconds('2026-12-01T09:30:00.250Z'), 1796117400.25)
  equal(text.seconds('2026-12-01T10:30:00+01:00'), 1796117400)
  equal(text.seconds('2026-12-01T04:00:00-05:30'), 1796117400)
  for _, none in ipairs({ '', 'yesterday', '2026-12-01', '2026-12-01T09:30:00', 12, vim.NIL }) do
    equal(text.seconds(none), nil)
  end
  math.randomseed(11)
  for _ = 1, 500 do
    local seconds = math.random(0, 4102444800)
    equal(text.seconds(os.date('!%Y-%m-%dT%H:%M:%SZ', seconds)), seconds)
  end
end)

--- A folder with a program in it.
local function program_in(folder, name)
  vim.fn.mkdir(folder, 'p')
  local path = vim.fs.joinpath(folder, name)
  vim.fn.writefile({ '#!/bin/sh' }, path)
  vim.uv.fs_chmod(path, 493)
  return path
end

local server = require('edit_assist.server')
local base = vim.fn.tempname()

--- With these variables and options, what is found; afterwards all is as before.
local function find(path, variable, cmd)
  local before = { vim.env.PATH, vim.env.EDIT_ASSIST_LS, vim.g.edit_assist }
  vim.env.PATH, vim.env.EDIT_ASSIST_LS, vim.g.edit_assist = path, variable, { cmd = cmd }
  local found, problem = server.find()
  vim.env.PATH, vim.env.EDIT_ASSIST_LS, vim.g.edit_assist = before[1], before[2], before[3]
  return found, problem
end

test('the server is found by option, variable, PATH, in this order', function()
  local on_path = program_in(base .. '/bin', 'edit-assist-ls')
  local named = program_in(base .. '/named place', 'server')
  local configured = program_in(base .. '/configured', 'server')
  equal(find(base .. '/bin', nil).program, on_path)
  equal(find(base .. '/bin', named).program, named)
  equal(find(base .. '/bin', on_path .. ' --log-level debug --stdio').arguments, { '--log-level', 'debug' })
  local found = find(base .. '/bin', named, { configured, 'x y', '--stdio' })
  equal({ found.program, found.arguments }, { configured, { 'x y' } })
  equal(server.command(found, '--stdio'), { configured, 'x y', '--stdio' })
end)

test('nothing that depends on the current folder is run', function()
  local here = base .. '/here'
  program_in(here, 'edit-assist-ls')
  vim.fn.chdir(here)
  for _, path in ipairs({ '', '.', ':', './:../here' }) do
    equal((find(path, nil)), nil)
  end
  for _, name in ipairs({ './edit-assist-ls', '../here/edit-assist-ls' }) do
    local found, problem = find(here, name)
    equal(found, nil)
    assert(problem:find('EDIT_ASSIST_LS names', 1, true), problem)
    equal((find(here, nil, { name })), nil)
  end
end)

test('what is no program is not found, and the sentence says which was meant', function()
  vim.fn.mkdir(base .. '/odd/edit-assist-ls', 'p')
  local found, problem = find(base .. '/odd', nil)
  equal(found, nil)
  assert(problem:find('not found on PATH', 1, true), problem)
  local _, wrong = find(base .. '/bin', nil, { '/nowhere/at\nall' })
  assert(wrong:find('the option cmd names', 1, true) and not wrong:find('\n'), wrong)
end)

test('a call that has no file, or no place, is shown in words all the same', function()
  local words = require('edit_assist.words')
  local call = { state = 'failed', host = 'pi', summary = 'a\nb', at = 'never', uri = nil, edits = {} }
  equal(words.call_in_list(call), 'failed --:-- pi: a\\nb')
  equal(words.call_failed(call), 'a call failed: a\nb')
  call.uri, call.startLine = 'file:///x/%25%7B1%7D.go', 3
  equal(words.call_failed(call), '%{1}.go:3 failed: a\nb')
end)

vim.fn.delete(base, 'rf')
io.stdout:write(('%d passed, %d failed\n'):format(passed, failed))
os.exit(failed == 0 and 0 or 1)
