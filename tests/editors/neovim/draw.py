"""Draws the picture of the README from the screen of a real Neovim, beside an agent's server: `draw.py FILE`."""

import sys
import tempfile
from pathlib import Path

from tests.editors import setup_neovim
from tests.editors.neovim.agent import Agent
from tests.editors.neovim.embedded import Neovim
from tests.editors.neovim.lab import Lab, attached, has_diagnostics
from tests.editors.neovim.svg import Shot, picture, shot

COLUMNS, ROWS, ROWS_OF_DIFFERENCE = 116, 24, 15
LABEL = (
    "Neovim beside a coding agent: a failed edit call as a diagnostic below the lines that it was meant for, "
    "the list of recent calls, and the intended edit against the file"
)
ORDERS = '''\
from decimal import Decimal


def total(order, discounts):
    """What the customer pays, in whole cents."""
    subtotal = order.subtotal()
    for discount in discounts:
        if discount.applies_to(order):
            subtotal -= discount.amount(subtotal)
    return max(subtotal, Decimal(0))
'''
MAIL = "def subject(order):\n\treturn f'Your order {order.number}'\n"
OLD = """\
        if discount.applies(order):
            subtotal -= discount.amount(subtotal)"""
NEW = """\
        if order.open and discount.applies(order):
            subtotal -= discount.amount(subtotal)
            log.info("applied %s", discount.code)"""


def main(target: Path) -> None:
    """Plays an agent's calls, and a person who looks at them; writes the picture."""
    with tempfile.TemporaryDirectory() as folder:
        lab = Lab.make(setup_neovim.install(), Path(folder).resolve())
        orders = lab.write("shop/orders.py", ORDERS)
        lab.write("shop/mail.py", MAIL)
        with Neovim(lab.command, lab.folder, lab.env(), COLUMNS, ROWS) as neovim, lab.agent() as agent:
            shots = play(neovim, agent, orders)
    target.write_text(picture(shots, LABEL), "utf-8")


def play(neovim: Neovim, agent: Agent, orders: Path) -> list[Shot]:
    """The file with its diagnostic and the list of calls; then the difference."""
    neovim.lua("""
        vim.o.number, vim.o.showmode, vim.o.ruler, vim.o.laststatus = true, false, false, 2
        vim.o.showtabline = 0
        vim.o.statusline = ' %f'
        vim.diagnostic.config({ virtual_lines = { current_line = true } })
        vim.g.edit_assist = { notify = false }""")
    neovim.edit(orders)
    attached(neovim)
    agent.lands("shop/mail.py", "def subject(order):", "def subject(order, language):")
    agent.lands("shop/mail.py", "    return f'Your order {order.number}'", "    return title(order)")
    agent.misses("shop/orders.py", OLD, NEW)
    has_diagnostics(neovim, 1)
    neovim.command("EditAssist")
    neovim.until_lua("return vim.bo.buftype == 'quickfix'")
    neovim.lua("""
        vim.wo.statusline, vim.wo.wrap = ' %{w:quickfix_title}', false
        vim.cmd.resize(3)
        vim.cmd.wincmd('p')""")
    neovim.keys("8G0")
    neovim.until_shown("Nearest region")
    first = settled(neovim, "nvim shop/orders.py")
    neovim.request("nvim_ui_try_resize", COLUMNS, ROWS_OF_DIFFERENCE)
    neovim.command("EditAssistDiff")
    neovim.until_shown("as it stands")
    return [first, settled(neovim, ":EditAssistDiff")]


def settled(neovim: Neovim, title: str) -> Shot:
    """The screen once all that was asked for is drawn."""
    neovim.command("echo '' | redraw!")
    neovim.lua("return 1")  # What is drawn by the command above comes before this is answered.
    return shot(title, neovim.screen)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
