/**
 * The Durable Object of a workspace, which opens it on the first request.
 *
 * Anyone can make up a link, and with it the name of a workspace. So a link to a workspace that was never
 * used is refused without opening it: nothing is written, and no object is left behind.
 *
 * @module
 */

import { DurableObject } from 'cloudflare:workers'
import { JudgingSpent, problemOfSpent } from './access/judging.ts'
import { discardUnread } from './archive/bytes.ts'
import { problem } from './errors/respond.ts'
import { KEEP_URL, SETTLE_URL } from './sessions/identity.ts'
import { answerUse, storeAnswer } from './auth/single-use.ts'
import type { Env } from './env.ts'
import { openWorkspace, type OpenWorkspace } from './open.ts'
import { LINK_HEADER, refuseLink } from './sessions/links.ts'
import { isUnused } from './database/schema.ts'
import { respondInternalError } from './front/internal-error.ts'

/** The Durable Object class that `wrangler.toml` binds as `WORKSPACE`. */
export class Workspace extends DurableObject<Env> {
  #opened: OpenWorkspace | null = null

  get #open(): OpenWorkspace {
    return (this.#opened ??= openWorkspace(this.ctx, this.env))
  }

  override async fetch(request: Request): Promise<Response> {
    const response = await this.#answer(request)
    await discardUnread(request)
    return response
  }

  async #answer(request: Request): Promise<Response> {
    const isGuess =
      !this.#opened && request.headers.has(LINK_HEADER) && isUnused(this.ctx.storage.sql)
    if (request.url === SETTLE_URL) return answerUse(request, this.ctx.storage.kv)
    if (request.url === KEEP_URL) return storeAnswer(request, this.ctx.storage.kv)
    if (isGuess) return refuseLink()
    try {
      return await this.#open.fetch(request)
    } catch (error) {
      if (error instanceof JudgingSpent) return problem(problemOfSpent(error))
      // The platform logs an error that leaves an object, with its message.
      return respondInternalError(error)
    }
  }

  override webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): void {
    this.#open.streams.receive(socket, message)
  }

  override webSocketClose(socket: WebSocket): void {
    this.#open.streams.closed(socket)
  }

  override webSocketError(socket: WebSocket): void {
    this.#open.streams.closed(socket)
  }

  override alarm(): Promise<void> {
    return this.#open.alarm()
  }
}
