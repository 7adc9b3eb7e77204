/** Rows of `docs/proposals.md`: the server kit mcp-bash. @module */

import { none, other, same, type Proposal } from './row.ts'

const SAMPLE = 'pages/console/mcp-bash.slow.test.ts'
const MANIFEST = 'worker/apps/manifest.test.ts'
const TEMPLATES = 'pages/apps/templates.test.ts'
const SHOWS = 'shows the template of %s with its settings and its data'

/** MCP Apps in mcp-bash. */
export const BASH: Proposal = {
  title: 'mcp-bash: MCP Apps',
  source:
    'The pages on MCP Apps of mcp-bash 1.3. Here, [apps are folders of a workspace](apps.md).',
  rows: [
    same(
      'An app beside its tool, and one without a tool',
      'the console shows both kinds of the sample',
      [SAMPLE, 'lists both apps of the sample, and opens the one that no tool names'],
    ),
    same(
      'A page that loads the official class from a declared origin',
      'runs, and reaches no other origin',
      [
        SAMPLE,
        'shows the app of a tool, which loads the official class from the origin that it declares',
      ],
    ),
    same('`ui.meta.json`', '`app.json` takes every field of it', [
      MANIFEST,
      'reads every field, those of ui.meta.json too',
    ]),
    same(
      'A CSP of four lists, with domains that lack a scheme',
      'read as https, and as wss for connections',
      [MANIFEST, 'reads a host without a scheme as https, and for connections as wss, too'],
    ),
    other(
      'An app is served as soon as its folder exists',
      'once the owner has approved its files, bound to their hashes',
      ['worker/apps/apps.test.ts', 'waits until the owner has approved it, and is served then'],
      'Agents write files here, and an app acts for the person',
    ),
    same(
      'A page beats a template',
      'also a page that cannot be shown, which cannot be approved then',
      [
        'worker/apps/apps.test.ts',
        'whose page is %s cannot be approved, with or without a template',
      ],
    ),
    same(
      'Checks of names and sizes: `..`, links, pages above 1 MiB',
      'in the folder of the app alone',
      ['worker/apps/attacks.test.ts', 'a page is never taken from outside of the folder: %s'],
    ),
    same('Form', 'values keep their types, and go to `submitTool`', [
      SAMPLE,
      'sends what a form holds, with its types, to the tool that its settings name',
    ]),
    same('Data table', 'with a filter, selection and export', [SAMPLE, SHOWS]),
    same('Progress', 'follows its data', [SAMPLE, SHOWS]),
    same('Diff viewer', 'unified and side by side, with colours', [SAMPLE, SHOWS]),
    same('Tree view', 'with a filter at any depth', [SAMPLE, SHOWS]),
    same('Kanban board', 'a move is taken back if it fails', [
      TEMPLATES,
      'a board takes a refused move back',
    ]),
    same('Switches that are true by default', 'can be false', [
      'core/apps/templates.test.ts',
      '%s: the switch %s is true by default, and can be false',
    ]),
    same(
      'Detection of clients that show apps, with text for others',
      '`showsApps` and `textFallback`',
      ['pages/packages/server-helpers.slow.test.ts', 'a client with %j shows apps: %s'],
    ),
    same('Helpers for authors of servers', '`@edgewise/mcp-view/server`', [
      'pages/packages/server-helpers.slow.test.ts',
      'shows its table in the console',
    ]),
    same('Scaffolds', '`npm run new-app`, and a form in the console', [
      'e2e/new-app.test.ts',
      'makes an app of %s that waits for approval',
    ]),
    same(
      '`ui/{name}/` and `tools/{tool}/ui/`',
      'found with their `ui.meta.json`, and approved as any app',
      ['worker/apps/bash-folders.test.ts', 'is the view of that tool once it is approved'],
    ),
    other(
      'A UI for any tool of the server',
      '`"for"` names one tool that only reads',
      [
        'worker/apps/tool-view.test.ts',
        'shows the results once it is approved, and until the approval ends',
      ],
      'The view of a tool that changes files is the difference, which a person has to see',
    ),
    same('A page is filled once', 'for a manifest and its templates', [
      'worker/apps/kept-pages.test.ts',
      'a page is filled once for a manifest',
    ]),
    none(
      'The class of apps from a public network',
      'A template has all that it needs, and works without one',
    ),
  ],
}
