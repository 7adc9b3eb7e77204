/** Rows of `docs/proposals.md`: previews and results for people of mcp4h. @module */

import { other, same, type Proposal } from './row.ts'

const CLIENT = 'worker/mcp/mcp-fs.test.ts'
const FOLDER = 'worker/tools/folder-preview.test.ts'
const HIGHLIGHT = 'worker/tools/highlight.test.ts'
const DISPLAY = 'worker/mcp/display.test.ts'
const LINKS = 'of %s links a page and a patch for people, which can be read'

/** Previews, and what results have for people. */
export const RESULTS: Proposal = {
  title: 'mcp4h: previews and results for people',
  source: 'The same page and programs.',
  rows: [
    same(
      '`_meta.preview` is a dry run with exactly the same output',
      'structured content and text are equal',
      [CLIENT, 'with the flag %j changes nothing and answers alike'],
    ),
    other(
      'The flag may be the text `true` in any case',
      '`true` or `"true"`; anything else is refused with -32602, and nothing runs',
      [CLIENT, 'is refused with the flag %j'],
      'A flag that is misread would apply what should only be shown',
    ),
    other(
      'Only edits and writes have a preview, and the flag is echoed by calls that were executed',
      'so do moves, copies, deletions and undo; a tool that has none answers -32050 and does nothing',
      [
        'worker/access/reference-holes.test.ts',
        'is refused by a tool without previews, which does nothing',
      ],
      'An echo that means nothing is worse than none',
    ),
    same(
      'A visual difference, unified and side by side, and one for programs',
      'a page, a patch, and `hunks`',
      [CLIENT, LINKS],
    ),
    other(
      'The difference is linked by content of the types `review` and `diff`',
      'by `resource_link` blocks with the audience `user`, for previews and for clients that show apps',
      [CLIENT, LINKS],
      'MCP has no such types, and what is for people is not for the model',
    ),
    same(
      'What was let through can be viewed later',
      'for as long as history has it, and be undone',
      [
        'worker/changes/changes.test.ts',
        'an edit is previewed, conflicts, is refused, previewed again, applied, undone and listed',
      ],
    ),
    same('Previews are kept by number, the one that was read last the longest', 'and for a time', [
      'worker/changes/preview-expiry.test.ts',
      'an expired preview is not applied, also before the alarm has deleted it',
    ]),
    same(
      'A deletion can be previewed',
      'that of a folder counts and shows the removed lines, within limits',
      [FOLDER, 'of a deleted folder counts and shows removed lines, and counts bytes'],
    ),
    same(
      '`_meta.highlight` makes `content` an HTML table with line numbers and colours',
      'it does, with a style for light and dark pages',
      [HIGHLIGHT, 'colours what the language of the file knows, from line to line'],
    ),
    other(
      'The colours are in a style sheet of the server, `ui://static/syntect.css`',
      'in the table itself, by the `--mcp-` variables where a host sets them',
      [HIGHLIGHT, 'has enough contrast on a %s page, for every kind of text'],
      'A host that shows the table needs nothing else',
    ),
    same(
      '`displayMessage` is a sentence for people about the result',
      'the finished intent, where a person reads the result',
      [DISPLAY, 'of %s is the finished sentence, previewed and applied'],
    ),
    same(
      '`inputTemplate` and `outputTemplate`',
      'the listing has them, and the console shows them',
      [DISPLAY, 'the listing has the templates of the call and of the result'],
    ),
    same('`intentTemplate`, with groups that repeat', 'the whole grammar', [
      'core/intent.laws.test.ts',
      '$id: $template',
    ]),
    same(
      'Applications are tagged in the annotations of their resource',
      '`type: "application"`, and again in `_meta`',
      [
        'pages/host/server-apps.test.ts',
        'views are listed as applications, with type, policy and border',
      ],
    ),
    same(
      'A file browser that calls the tools of its own server',
      'it also creates, renames, deletes, restores, and shows differences',
      [
        'pages/files-view/files-view.slow.test.ts',
        'finds by name and by content, with the keyboard only',
      ],
    ),
    {
      feature: 'Applications stay light: about 75 kB of JavaScript',
      here: 'the file browser is one page of 57 kB at most',
      reason: 'The build refuses more (`scripts/artefacts.ts`)',
    },
  ],
}
