/**
 * The Worker with two routes more: `POST /notify` queues one notice or several in the workspace `default`, and
 * `POST /channels` sends a summary to all channels and answers how the attempts have ended.
 * `test/support/e2e/notifying-server.ts` bundles and runs it.
 *
 * @module
 */

import type { Env } from '#worker/env.ts'
import { front } from '#worker/index.ts'
import { createChannels } from '#worker/notifier/channels.ts'
import type { Summary } from '#worker/notifier/summary.ts'
import { openWorkspace, type OpenWorkspace } from '#worker/open.ts'
import type { Notice } from '#worker/outbox/queue.ts'
import { DurableObject } from 'cloudflare:workers'

const isNotify = ({ url }: Request) => new URL(url).pathname === '/notify'

/** A workspace that can be asked to notify its owner. */
export class Workspace extends DurableObject<Env> {
  #opened: OpenWorkspace | null = null

  get #open(): OpenWorkspace {
    return (this.#opened ??= openWorkspace(this.ctx, this.env))
  }

  override async fetch(request: Request): Promise<Response> {
    if (!isNotify(request)) return this.#open.fetch(request)
    // In one turn, so that no alarm rings between them.
    for (const notice of [await request.json<Notice | Notice[]>()].flat())
      this.#open.outbox.notify(notice)
    return new Response(null, { status: 204 })
  }

  override alarm(): Promise<void> {
    return this.#open.alarm()
  }
}

/** The handler. */
export const notifying = {
  fetch(request: Request, env: Env, context: ExecutionContext): Promise<Response> {
    if (new URL(request.url).pathname === '/channels') return sendSummary(request, env)
    return isNotify(request)
      ? env.WORKSPACE.get(env.WORKSPACE.idFromName('default')).fetch(request)
      : front.fetch(request, env, context)
  },
}

async function sendSummary(request: Request, env: Env): Promise<Response> {
  const summary = await request.json<Summary>()
  return Response.json(await Promise.all(createChannels(env).map(({ send }) => send(summary))))
}

export default notifying
