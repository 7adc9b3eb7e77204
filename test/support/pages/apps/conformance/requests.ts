/**
 * Checks of what a page may only ask for: links, messages, context for the model, downloads.
 *
 * @module
 */

import {
  answered,
  fail,
  holds,
  info,
  pass,
  shown,
  type Check,
  type Outcome,
  type Run,
} from './outcome.ts'
import type { Answer } from './wire.ts'

const DANGEROUS = [
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'file:///etc/passwd',
  'blob:https://example.com/0',
  'java\tscript:alert(1)',
  'vbscript:x',
  '//example.com',
  'not a url',
]

const text = (value: string) => ({ type: 'text', text: value })

export const ASKS: readonly Check[] = [
  {
    id: 'edge/B11-dangerous-links',
    clause: 'MUST',
    title: 'Links that are not to a page of the web are refused',
    async run({ wire }) {
      const answers = await Promise.all(
        DANGEROUS.map((url) => wire.request('ui/open-link', { url })),
      )
      const opened = DANGEROUS.filter((_, index) => !isRefused(answers[index]))
      return opened.length === 0 ? pass(`${DANGEROUS.length} refused`) : fail(opened.join(', '))
    },
  },
  {
    id: 'links/open-external',
    clause: 'SHOULD',
    title: 'A link to the web opens',
    run: asking('openLinks', (run) =>
      run.wire.request('ui/open-link', { url: 'https://example.com/conformance' }),
    ),
  },
  {
    id: 'messages/add-to-conversation',
    clause: 'SHOULD',
    title: 'A message of this page joins the conversation, as a list of blocks',
    run: asking('message', (run) =>
      run.wire.request('ui/message', { role: 'user', content: [text('conformance: list')] }),
    ),
  },
  {
    id: 'messages/one-block',
    clause: 'SHOULD',
    title: 'The same as one block, which is how the specification writes it',
    run: asking('message', (run) =>
      run.wire.request('ui/message', { role: 'user', content: text('conformance: block') }),
    ),
  },
  {
    id: 'messages/consent',
    clause: 'MAY',
    title: 'A message in another role than the user’s is refused',
    async run({ wire, config }) {
      if (!config.asks) return info('not asked')
      const content = [text('conformance: system')]
      const answer = await wire.request('ui/message', { role: 'system', content })
      return holds(isRefused(answer), shown(answer))
    },
  },
  {
    id: 'model-context/provide-future-turns',
    clause: 'SHOULD',
    title: 'Context for the model is taken',
    run: asking('updateModelContext', (run) =>
      run.wire.request('ui/update-model-context', {
        content: [text('conformance: first')],
        structuredContent: { turn: 1 },
      }),
    ),
  },
  {
    id: 'model-context/last-wins',
    clause: 'SHOULD',
    title: 'A second one takes the place of the first (B7)',
    run: asking('updateModelContext', (run) =>
      run.wire.request('ui/update-model-context', {
        content: [text('conformance: last')],
        structuredContent: { turn: 2 },
      }),
    ),
  },
  {
    id: 'downloads/file',
    clause: 'SHOULD',
    title: 'A download is offered to the person',
    run: asking('downloadFile', (run) =>
      run.wire.request('ui/download-file', {
        contents: [
          {
            type: 'resource',
            resource: { uri: 'file:///report.txt', mimeType: 'text/plain', text: 'ü €' },
          },
        ],
      }),
    ),
  },
]

/** A check of something that a person sees, where the host offers it at all. */
function asking(capability: string, ask: (run: Run) => Promise<Answer>) {
  return async (run: Run): Promise<Outcome> => {
    if (!run.config.asks) return info('not asked')
    if (!(capability in run.capabilities)) return info(`the host does not say ${capability}`)
    return answered(await ask(run), (result) => holds(result['isError'] !== true, shown(result)))
  }
}

function isRefused(answer: Answer | undefined): boolean {
  return (
    answer?.type === 'error' || (answer?.type === 'result' && answer.result['isError'] === true)
  )
}
