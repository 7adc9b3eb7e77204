/** What is red and not ours: cells that a client cannot make green, each with the reason. @module */

import type { Row } from './run.ts'

export interface Known {
  readonly file: string
  /** All modes, if there is none. */
  readonly mode?: string
  readonly step: string
  readonly why: string
}

const issue = (repository: string, number: number) =>
  `[${repository}#${number}](https://github.com/${repository}/issues/${number})`

export const KNOWN: readonly Known[] = [
  {
    file: 'langchain',
    mode: 'chat',
    step: 'image',
    why: `The image is sent in a tool message, which chat completions refuse: ${issue('langchain-ai/langchainjs', 11684)}.`,
  },
  {
    file: 'openai-agents',
    mode: 'chat',
    step: 'image',
    why: `Tool messages of chat completions take text alone, and images are dropped: ${issue('openai/openai-agents-js', 649)}.`,
  },
  {
    file: 'cloudflare-agents',
    step: 'image',
    why: 'The whole result reaches the model as JSON, the image as base64 in it; no issue is open.',
  },
  {
    file: 'mastra',
    step: 'image',
    why: `The model is handed the text blocks alone: ${issue('mastra-ai/mastra', 20176)}.`,
  },
  {
    file: 'llamaindex',
    step: 'image',
    why: 'The whole result reaches the model as JSON, the image as base64 in it; no issue is open.',
  },
  {
    file: 'mcp-use',
    step: 'image',
    why: `The whole result reaches the model as JSON, the image as base64 in it: ${issue('mcp-use/mcp-use', 292)}.`,
  },
  {
    file: 'playwright',
    mode: 'polyfill',
    step: 'list',
    why: "Playwright looks in a JavaScript world of its own, where the browser's WebMCP is and a script's is not.",
  },
  {
    file: 'playwright',
    mode: 'native',
    step: 'denied write',
    why: "It is not written, but the browser's own `executeTool()` rejects with `UnknownError` for every failure, without the reason.",
  },
]

export const findKnown = (row: Pick<Row, 'file' | 'mode'>, step: string): Known | undefined =>
  KNOWN.find(
    (known) =>
      known.file === row.file &&
      known.step === step &&
      (known.mode === undefined || known.mode === row.mode),
  )
