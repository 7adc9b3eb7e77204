/** What a client passes to a model for one tool call, independent of the client. @module */

/** One way in which a host shows a result: as content blocks, or as structured content. */
export interface Reading {
  readonly text: string
  /** Base64. */
  readonly images: readonly string[]
}

export interface ModelInput {
  /** Each has to be sufficient for a model, because a host shows only one. */
  readonly readings: readonly Reading[]
  /** Undefined where the model cannot see whether a call failed. */
  readonly failed?: boolean | undefined
  /** What the client threw instead of a result. */
  readonly threw?: string
}

export const threw = (error: unknown): ModelInput => ({ readings: [], threw: describe(error) })

const MAX_DESCRIBED = 300

export function describe(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return text.replace(/\s+/g, ' ').slice(0, MAX_DESCRIBED)
}

/** A `CallToolResult` of a client, of which a host may show any part. */
export interface RawResult extends Readonly<Record<string, unknown>> {
  readonly content?: unknown
  readonly structuredContent?: unknown
  readonly isError?: unknown
}

/** Both ways in which hosts show a result; those that prefer structured content drop the blocks. */
export function bothReadings({ content, structuredContent, isError }: RawResult): ModelInput {
  const blocks = fromBlocks(content)
  const structured =
    structuredContent === undefined ? [] : [{ text: JSON.stringify(structuredContent), images: [] }]
  return { readings: [blocks, ...structured], failed: isError === true }
}

/** Blocks of MCP, of the model APIs, or of a framework: text, images, and anything else as JSON. */
export function fromBlocks(content: unknown): Reading {
  if (typeof content === 'string') return { text: content, images: [] }
  const blocks = Array.isArray(content) ? content.map(fromBlock) : [fromBlock(content)]
  return {
    text: blocks.map(({ text }) => text).join('\n'),
    images: blocks.flatMap(({ images }) => images),
  }
}

function fromBlock(block: unknown): Reading {
  const image = findImage(block)
  if (image !== undefined) return { text: '', images: [image] }
  const text = member(block, 'text')
  return { text: typeof text === 'string' ? text : JSON.stringify(block), images: [] }
}

const DATA_URL = /^data:image\/\w+;base64,/

/** MCP `data`; Anthropic `source.data`; OpenAI `image_url`, a string or `{ url }`; LangChain; AI SDK. */
function findImage(block: unknown): string | undefined {
  if (!/image|media|file/.test(String(member(block, 'type')))) return undefined
  const url = member(block, 'image_url') ?? member(block, 'image')
  const places = [
    member(block, 'data'),
    member(member(block, 'source'), 'data'),
    member(member(block, 'data'), 'data'),
    member(url, 'url') ?? url,
  ]
  const data = places.find((place) => typeof place === 'string')
  return typeof data === 'string' ? data.replace(DATA_URL, '') : undefined
}

export const word = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined

/** Returns a member of any value. */
export function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined
}
