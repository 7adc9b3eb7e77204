/** The model APIs that the scripted model speaks: parsing of requests, building of responses. @module */

import { anthropic } from './api-anthropic.ts'
import { gemini } from './api-gemini.ts'
import { chat, responses } from './api-openai.ts'
import type { ModelInput } from './model-input.ts'

/** A call of a tool, or the word that ends a turn. */
export type Reply = 'done' | AskedCall

export interface AskedCall {
  readonly id: string
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

export interface Dialect {
  readonly path: RegExp
  tools(body: unknown): string[]
  /** The result for the call with that id, if the request has one. */
  handed(body: unknown, id: string): ModelInput | undefined
  streams(body: unknown, path: string): boolean
  whole(reply: Reply): string
  /** The same as server-sent events. */
  stream(reply: Reply): string
}

export const DIALECTS: readonly Dialect[] = [anthropic, chat, responses, gemini]
