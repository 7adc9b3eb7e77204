/** Rows of `docs/proposals.md`: proposals to MCP Apps and to WebMCP. @module */

import { other, same, type Proposal } from './row.ts'

const VECTORS = 'core/visibility.test.ts'
const MESSAGES = 'pages/attacks/app-messages.slow.test.ts'
const LEVEL = 'polyfill/approval/approval-level.test.ts'
const APPROVAL = 'pages/polyfill/approval.slow.test.ts'

/** PR 131 of ext-apps. */
export const VISIBILITY: Proposal = {
  title: 'MCP Apps: visibility of tools (ext-apps PR 131)',
  source: 'The pull request, and the text that was merged.',
  rows: [
    other(
      'Without a visibility a tool is for models alone',
      'for models and apps',
      [VECTORS, '$id'],
      'As merged; the first draft was otherwise',
    ),
    other(
      'The values `model` and `apps`',
      '`model` and `app`; `apps` is read as `app`, with a warning',
      [VECTORS, 'warns of %j'],
      'As merged; servers of the first draft exist',
    ),
    same(
      'A tool that is not for models is not in their list',
      'the server lists it to clients that show apps only',
      [
        'worker/mcp/results.test.ts',
        'lists views and app-only tools only for clients that show apps',
      ],
    ),
    same('An app cannot call a tool that is not for apps', 'refused, whatever its server does', [
      MESSAGES,
      '%s cannot be called',
    ]),
    same('An app calls tools of its own server alone', 'refused', [
      MESSAGES,
      'of another server cannot be called',
    ]),
    same('An empty list hides a tool from both', 'with a warning, because it was hardly meant', [
      VECTORS,
      'warns of %j',
    ]),
    same('Tools of this server say who may call them', '`_meta.ui.visibility`', [
      'worker/mcp/views.test.ts',
      'are visible to the model or to views only',
    ]),
  ],
}

/** Issue 198 of WebMCP. */
export const HINT: Proposal = {
  title: 'WebMCP: humanInTheLoopHint',
  source: 'Issue 198 of the WebMCP repository, open since June 2026. [Reference](webmcp.md).',
  rows: [
    same('The four values `none`, `notify`, `review` and `confirm`', 'each has its effect', [
      'pages/polyfill/examples.test.ts',
      'has tools at all four levels',
    ]),
    same('An unknown value rejects the registration', 'with a `TypeError`, as Web IDL does', [
      APPROVAL,
      'refuses %s',
    ]),
    other(
      'The default is `confirm`, in the annotations',
      'it applies, and `effectivePolicy(tool)` tells it; the listing has the member only where the author gave it',
      [APPROVAL, 'lists the two members where the author gave them, and nothing where not'],
      'A listing would attribute a hint to an author who gave none, and annotations would differ from those of the browser, whose other hints are false by default. Every consumer knows the default by the proposal',
    ),
    other(
      'No exception for tools that only read',
      'without a hint, `readOnlyHint: true` means `none`',
      [LEVEL, '%o: %s'],
      'A person who is asked about every look-up learns to press Allow',
    ),
    other(
      'No word on `consequentialHint`',
      'it means `confirm`, whatever the hint says',
      [LEVEL, 'is confirmation where there are consequences'],
      'The author declares that the effects are real',
    ),
    other(
      'The hint is advisory',
      'the polyfill enforces it around `execute`, for every caller',
      ['pages/polyfill/approval-callers.slow.test.ts', 'holds calls from a page of another origin'],
      'A hint that a caller may ignore stops no caller',
    ),
    same('`notify` runs the tool and tells the person', 'by a notice in the page', [
      APPROVAL,
      'shows a notice for each call that an earlier answer allows',
    ]),
    same(
      '`review` shows a preview before it is final',
      'that of the tool, or the intent and the arguments',
      [APPROVAL, 'shows the preview of the tool, and passes it to the call'],
    ),
    same('`confirm` asks for explicit approval', 'in a dialog that no script can press', [
      'pages/polyfill/approval-dialog.slow.test.ts',
      'with clicks and keys that scripts make',
    ]),
    same(
      'The example of the proposal',
      'word for word, with the description that the draft requires',
      [
        'pages/polyfill/approval-sensitive.slow.test.ts',
        'asks for a review by the example with a description, and runs it when that is allowed',
      ],
    ),
    other(
      'A page may hint `none` for any tool',
      'payments, messages and deletions never run without a notice; a site or a visitor sets a stricter level',
      [
        'pages/polyfill/approval-sensitive.slow.test.ts',
        'does not run such a call when no notice can be shown',
      ],
      'The hint is a claim of the page, and the visitor pays',
    ),
    same(
      'A person may trust a site or a tool for a time',
      'never for `confirm`, and where approvals are seen and ended',
      [
        'pages/polyfill/approvals-settings.slow.test.ts',
        'lets tools at review run with a notice, and no others, until the visitor ends it',
      ],
    ),
    other(
      'No `intentTemplate`',
      'the dialog shows the sentence as the claim of the page',
      ['polyfill/approval/vectors.test.ts', '$id: $template'],
      'A person decides about a sentence, and not about JSON',
    ),
  ],
}
