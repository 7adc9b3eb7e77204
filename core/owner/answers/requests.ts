/**
 * Answers about access requests. Tool, intent, label, paths and scopes come from an agent: they are untrusted. Times are in
 * milliseconds since 1970.
 *
 * @module
 */

import { flag, listOf, number, object, oneOf, optional, text, type Decoded } from '../../decode.ts'
import { OWNER_MEMBERS } from './drafts.ts'

const CALL = {
  id: text,
  ...OWNER_MEMBERS,
  tool: text,
  intent: text,
  scopes: listOf(text),
  /** The files and folders that its arguments name. */
  paths: listOf(text),
}

/** An entry that the rules lack. */
const newRoot = object({ path: text, immutable: optional(listOf(text)) })

/** An entry that the rules lack. */
export type NewRoot = Decoded<typeof newRoot>

const waitingRequest = object({
  ...CALL,
  opened: number,
  expires: number,
  /** Whether its session has ended, so that nothing can be allowed any more. */
  ended: flag,
  /** How it can be allowed. */
  can: listOf(oneOf('call', 'session', 'rules')),
  /** What the rules would have to contain; empty where they permit the call. */
  roots: listOf(newRoot),
})

/** A call beyond the access of its caller, which waits for the owner. */
export type WaitingRequest = Decoded<typeof waitingRequest>

const allowedCall = object({
  ...CALL,
  /** When it can no longer be made. */
  until: number,
})

/** A call that was allowed and not made yet. */
export type AllowedCall = Decoded<typeof allowedCall>

/** What waits for the owner, the newest first, and what was allowed. */
export const requestLists = object({
  waiting: number,
  requests: listOf(waitingRequest),
  allowed: listOf(allowedCall),
})

/** An access request that was allowed. */
export const allowedRequest = object({
  id: text,
  state: oneOf('allowed'),
  for: oneOf('call', 'session', 'rules'),
})

/** An access request that was refused. */
export const refusedRequest = object({ id: text, state: oneOf('refused') })
