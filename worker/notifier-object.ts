/**
 * The Durable Object of the notifier, which opens it on its first use. There is one in a deployment.
 *
 * `test/platform/notifier/notifier.test.ts` tests its life.
 *
 * @module
 */

import { DurableObject } from 'cloudflare:workers'
import type { QuietHours } from '#core/owner/answers/notifications.ts'
import type { Env } from './env.ts'
import type { NewDevice } from './notifier/device.ts'
import type { NotifierService } from './notifier/notifier.ts'
import type * as module from './notifier/open-notifier.ts'
import type { Summary } from './notifier/summary.ts'
import { platformFetch } from './outbox/post.ts'

let loaded: typeof module | null = null

/** Returns the notifier's module, cached, because `import()` waits even for a module that is already loaded. */
export async function loadNotifier(): Promise<typeof module> {
  return (loaded ??= await import('./notifier/open-notifier.ts'))
}

/** The Durable Object class that `wrangler.toml` binds as `NOTIFIER`. Its methods are called by workspaces. */
export class Notifier extends DurableObject<Env> implements NotifierService {
  #opened: Promise<module.OpenNotifier> | null = null

  async #open(): Promise<module.OpenNotifier> {
    this.#opened ??= this.#load()
    try {
      return await this.#opened
    } catch (error) {
      // The next call tries again.
      this.#opened = null
      throw error
    }
  }

  async #load(): Promise<module.OpenNotifier> {
    const { openNotifier } = await loadNotifier()
    return openNotifier(this.ctx, this.env, platformFetch)
  }

  async tell(summary: Summary) {
    return (await this.#open()).tell(summary)
  }

  async settings(workspace: string) {
    return (await this.#open()).settings(workspace)
  }

  async addDevice(device: NewDevice, origin: string) {
    return (await this.#open()).addDevice(device, origin)
  }

  async removeDevice(id: string) {
    return (await this.#open()).removeDevice(id)
  }

  async testDevice(id: string, url: string) {
    return (await this.#open()).testDevice(id, url)
  }

  async setQuietHours(quiet: QuietHours | null) {
    return (await this.#open()).setQuietHours(quiet)
  }

  override async alarm(): Promise<void> {
    const notifier = await this.#open()
    notifier.rang()
    // A slow push service must not delay the next alarm, so it is not awaited.
    void notifier.deliver(Date.now())
  }
}
