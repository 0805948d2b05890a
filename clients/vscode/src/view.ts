/** The view Agent Edits. All its text is plain strings: labels and tooltips of calls hold what models wrote. */

import * as vscode from "vscode";
import type { Calls } from "./calls.ts";
import type { State } from "./protocol.ts";
import type { Row } from "./rows.ts";
import { rowsOf } from "./rows.ts";
import type { Server } from "./server.ts";
import * as words from "./words.ts";

export const VIEW = "editAssist.calls";

const ICONS: Record<State, vscode.ThemeIcon> = {
  failed: new vscode.ThemeIcon("warning", new vscode.ThemeColor("list.warningForeground")),
  corrected: new vscode.ThemeIcon("wand", new vscode.ThemeColor("charts.blue")),
  exact: new vscode.ThemeIcon("check", new vscode.ThemeColor("testing.iconPassed")),
  applied: new vscode.ThemeIcon("check-all", new vscode.ThemeColor("testing.iconPassed")),
  dismissed: new vscode.ThemeIcon("circle-slash", new vscode.ThemeColor("disabledForeground")),
};

export interface View {
  /** The rows that are shown, newest first. */
  readonly rows: () => readonly Row[];
  readonly item: (row: Row) => vscode.TreeItem;
}

export function createView(calls: Calls, server: Server, disposables: vscode.Disposable[]): View {
  const changed = new vscode.EventEmitter<void>();
  let rows: readonly Row[] = [];
  const provider: vscode.TreeDataProvider<Row> = {
    onDidChangeTreeData: changed.event,
    getChildren: (row) => [...(row === undefined ? rows : row.children)],
    getTreeItem: itemOf,
  };
  const tree = vscode.window.createTreeView(VIEW, { treeDataProvider: provider, showCollapseAll: false });

  const showBadge = (): void => {
    const count = failingCount(server);
    tree.badge = count === 0 ? undefined : { value: count, tooltip: words.failingTooltip(count) };
  };
  const showState = (): void => void vscode.commands.executeCommand("setContext", "editAssist.server", server.state());

  showState();
  disposables.push(
    changed,
    tree,
    calls.onDidChange((list) => {
      rows = rowsOf(list, clock);
      changed.fire();
    }),
    server.onDidChangeFailing(showBadge),
    server.onDidChangeState(showState),
  );
  return { rows: () => rows, item: itemOf };
}

/** How many calls have a failing edit that is shown in a file now. */
export function failingCount(server: Server): number {
  return new Set(server.failing().map(({ id }) => id)).size;
}

function itemOf(row: Row): vscode.TreeItem {
  const { Collapsed, None } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(row.label, row.children.length > 0 ? Collapsed : None);
  item.id = row.key;
  item.description = row.description;
  item.tooltip = row.tooltip;
  item.iconPath = ICONS[row.state] ?? ICONS.failed;
  item.contextValue = row.context;
  item.accessibilityInformation = { label: row.spoken };
  item.command = { command: "editAssist.goToCall", title: "", arguments: [row] };
  return item;
}

function clock(at: string): string {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? at : time.toLocaleString();
}
