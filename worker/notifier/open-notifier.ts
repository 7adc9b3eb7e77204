/**
 * Opens the notifier of an object. It is a module of its own, loaded when the object is first used: the Worker starts
 * without it.
 *
 * @module
 */

import { createAlarm } from '../alarm.ts'
import type { Env } from '../env.ts'
import { createChannels } from './channels.ts'
import { createNotifier, type Notifier } from './notifier.ts'

/** A notifier with the alarm of its object. */
export interface OpenNotifier extends Notifier {
  /** To be called when the alarm has fired. */
  readonly rang: () => void
}

/** Opens the notifier on the storage of an object. */
export async function openNotifier(
  { storage }: Pick<DurableObjectState, 'storage'>,
  env: Env,
  send: typeof fetch,
): Promise<OpenNotifier> {
  const { wakeAt, rang } = createAlarm(storage)
  const { sql } = storage
  const notifier = await createNotifier({
    sql,
    owner: ownerOf(env),
    channels: createChannels(env, send),
    send,
    wakeAt,
  })
  return { ...notifier, rang }
}

/** Returns what proves the owner, in one text; without an owner, this is known as well. */
const ownerOf = ({ EDGEWISE_OWNER_SECRET = '', EDGEWISE_ACCESS = '' }: Env) =>
  JSON.stringify([EDGEWISE_OWNER_SECRET, EDGEWISE_ACCESS])
