--- The intended edit against the file: two scratch buffers side by side, in a tab of their own.

local api = vim.api

local M = {}

local diff = vim.text and vim.text.diff or vim.diff

---@class edit_assist.Preview
---@field uri string
---@field before? string
---@field after? string
---@field edit? lsp.WorkspaceEdit
---@field stale? string why the edit no longer fits

--- A text as Neovim holds it: lines, and the 'fileformat' under which they are the text's.
---@param text string
---@return string[] lines
---@return "unix"|"dos" fileformat
local function lines_of(text)
  local lines = vim.split(text, '\n', { plain = true })
  if #lines > 1 and lines[#lines] == '' then
    table.remove(lines)
  end
  local is_dos = #lines > 0
  for index, line in ipairs(lines) do
    local is_last_without_end = index == #lines and not vim.endswith(text, '\n')
    is_dos = is_dos and (vim.endswith(line, '\r') or (is_last_without_end and index > 1))
  end
  if is_dos then
    for index, line in ipairs(lines) do
      lines[index] = line:gsub('\r$', '')
    end
  end
  return lines, is_dos and 'dos' or 'unix'
end

---@param name string
---@param text string
---@param path? string the file's, for the colours
---@return integer bufnr
local function scratch(name, text, path)
  local bufnr = api.nvim_create_buf(false, true)
  local lines, fileformat = lines_of(text)
  api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
  vim.bo[bufnr].fileformat = fileformat
  -- Colours alone: a file type would run what is configured for files, and this is none.
  local is_known, filetype = pcall(vim.filetype.match, { filename = path, contents = lines })
  vim.bo[bufnr].syntax = is_known and filetype or ''
  vim.bo[bufnr].modifiable = false
  -- The name is taken while the same view is open in another tab; a view without a name is one all the same.
  pcall(api.nvim_buf_set_name, bufnr, name)
  return bufnr
end

---@param tab integer
local function close(tab)
  if not api.nvim_tabpage_is_valid(tab) then
    return
  end
  if #api.nvim_list_tabpages() > 1 then
    vim.cmd.tabclose({ args = { tostring(api.nvim_tabpage_get_number(tab)) } })
    return
  end
  local windows = api.nvim_tabpage_list_wins(tab)
  vim.cmd.enew()
  for _, window in ipairs(windows) do
    if window ~= api.nvim_get_current_win() and api.nvim_win_is_valid(window) then
      api.nvim_win_close(window, true)
    end
  end
end

---@param id string
---@param edit_index? integer
---@param on_preview fun(preview: edit_assist.Preview, client: vim.lsp.Client)
local function ask(id, edit_index, on_preview)
  local params = { id = id, editIndex = edit_index }
  require('edit_assist.client').ask('editAssist/preview', params, function(preview, client)
    local say, words = require('edit_assist.say'), require('edit_assist.words')
    if type(preview) ~= 'table' or type(preview.before) ~= 'string' or type(preview.after) ~= 'string' then
      return say.warn(preview and preview.stale or words.no_text())
    end
    on_preview(preview, client)
  end)
end

--- Goes to the file that an edit changed: where it is shown already, else in the current window.
---@param uri string
---@param encoding string
---@param edit lsp.WorkspaceEdit
local function go_to(uri, encoding, edit)
  local change = vim.tbl_get(edit, 'documentChanges', 1, 'edits', 1) or vim.tbl_get(edit, 'changes', uri, 1)
  local top = { line = 0, character = 0 }
  local range = change and change.range or { start = top, ['end'] = top }
  if vim.bo.buftype == 'quickfix' then
    vim.cmd.wincmd('p')
  end
  vim.lsp.util.show_document({ uri = uri, range = range }, encoding, { reuse_win = true, focus = true })
end

--- Puts the edit into the file's buffer, which is left unsaved, and closes the view.
---@param tab integer
---@param id string
---@param edit_index? integer
local function apply(tab, id, edit_index)
  ask(id, edit_index, function(preview, client)
    if preview.stale or not preview.edit then
      return require('edit_assist.say').warn(preview.stale or require('edit_assist.words').nothing_to_apply())
    end
    close(tab)
    vim.lsp.util.apply_workspace_edit(preview.edit, client.offset_encoding)
    go_to(preview.uri, client.offset_encoding, preview.edit)
    require('edit_assist.client').run('editAssist.applied', id, edit_index)
  end)
end

---@param preview edit_assist.Preview
---@param id string
---@param edit_index? integer
local function show(preview, id, edit_index)
  local words, text = require('edit_assist.words'), require('edit_assist.text')
  local path = require('edit_assist.calls').path(preview)
  local name = text.one_line(path and vim.fs.basename(path) or preview.uri, 80)
  local short = id:sub(1, 8)
  local before = scratch(('edit-assist://%s/before/%s'):format(short, name), preview.before, path)
  local after = scratch(('edit-assist://%s/after/%s'):format(short, name), preview.after, path)
  vim.cmd.tabnew({ mods = { keepalt = true, silent = true } })
  local tab, left, empty = api.nvim_get_current_tabpage(), api.nvim_get_current_win(), api.nvim_get_current_buf()
  api.nvim_win_set_buf(left, before)
  api.nvim_buf_delete(empty, { force = true })
  local right = api.nvim_open_win(after, true, { split = 'right', win = left })
  local hunk = diff(preview.before, preview.after, { result_type = 'indices' })[1] or { 1, 1, 1, 1 }
  for window, side in pairs({
    [left] = { bufnr = before, bar = words.bar_before(name), line = hunk[1] },
    [right] = { bufnr = after, bar = words.bar_after(name, edit_index), line = hunk[3] },
  }) do
    vim.wo[window][0].winbar = text.for_bar(side.bar)
    vim.bo[side.bufnr].bufhidden = 'wipe'
    local line = math.max(1, math.min(side.line, api.nvim_buf_line_count(side.bufnr)))
    api.nvim_win_set_cursor(window, { line, 0 })
    api.nvim_win_call(window, vim.cmd.diffthis)
    vim.keymap.set('n', 'q', function()
      close(tab)
    end, { buffer = side.bufnr, nowait = true, desc = words.CLOSE })
    vim.keymap.set('n', 'a', function()
      apply(tab, id, edit_index)
    end, { buffer = side.bufnr, nowait = true, desc = words.APPLY })
  end
  if preview.stale then
    require('edit_assist.say').warn(preview.stale)
  end
end

--- Opens a call's intended edit against the file; why there is nothing to show is said.
---@param id string
---@param edit_index? integer which edit of the call, from 0; all that failed where absent
function M.open(id, edit_index)
  ask(id, edit_index, function(preview)
    if preview.before == preview.after then
      local words = require('edit_assist.words')
      return require('edit_assist.say').warn(preview.stale or words.no_difference())
    end
    show(preview, id, edit_index)
  end)
end

--- Opens what is under the cursor, else the newest failing call of the current file, else the newest of all.
function M.open_here()
  local bufnr = api.nvim_get_current_buf()
  local uri = require('edit_assist.attaching').is_file(bufnr) and vim.uri_from_bufnr(bufnr) or nil
  require('edit_assist.finding').under_cursor(function(target)
    if target then
      return M.open(target.id, target.edit_index)
    end
    require('edit_assist.client').calls({ uri = uri }, function(calls)
      local failed = vim.iter(calls):find(function(call)
        return call.state == 'failed'
      end)
      if not failed then
        return require('edit_assist.say').info(require('edit_assist.words').no_failing_call(uri ~= nil))
      end
      M.open(failed.id)
    end)
  end)
end

return M
