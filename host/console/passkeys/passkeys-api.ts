/** What the owner does with the passkeys of this server's workspace. @module */

import { isRecord } from '#core/json.ts'
import { sendAct } from '../owner/send-act.ts'
import { createPasskey } from './ceremony.ts'

/** Maximum characters of a name; the server refuses longer ones. */
export const MAX_LABEL_LENGTH = 80

/** Runs an act of the person on the page, and returns whether it succeeded. */
export type Act = (work: () => Promise<unknown>) => Promise<boolean>

/** Wraps what is no failure that can be shown. */
export const toFailure = (error: unknown): unknown =>
  isRecord(error) || error instanceof Error ? error : new Error('Unexpected error')

/**
 * Registers a new passkey under a name. Another one is asked for, if there is one.
 *
 * @throws {Error} With a message for the person, if anything fails.
 */
export async function registerPasskey(base: string, label: string): Promise<void> {
  const question = await sendAct(base, 'begin_passkey', { body: {} })
  const created = await createPasskey(question)
  if (!created.ok) throw new Error(created.error)
  await sendAct(base, 'register_passkey', { body: { label, response: created.value } })
}

/** Gives a passkey another name. Rejects like {@link registerPasskey}. */
export const renamePasskey = (base: string, id: string, label: string) =>
  sendAct(base, 'rename_passkey', { segments: { passkey: id }, body: { label } })

/** Removes a passkey at once, with a passkey. Rejects like {@link registerPasskey}. */
export const removePasskey = (base: string, id: string) =>
  sendAct(base, 'remove_passkey', { segments: { passkey: id } })

/** Removes a passkey after the waiting time. Rejects like {@link registerPasskey}. */
export const removePasskeyLater = (base: string, id: string, secret: string) =>
  sendAct(base, 'remove_passkey_later', { segments: { passkey: id }, body: { secret } })

/** Cancels a removal. Rejects like {@link registerPasskey}. */
export const keepPasskey = (base: string, id: string) =>
  sendAct(base, 'keep_passkey', { segments: { passkey: id } })
