/** Answers about sessions and checkpoints, and about the workspace as a whole. @module */

import {
  json,
  listOf,
  number,
  object,
  oneOf,
  optional,
  orNull,
  text,
  type Decoded,
} from '../../decode.ts'

/** The counters of a workspace. */
export const workspaceStatus = object({
  version: number,
  files: number,
  folders: number,
  bytes: number,
  /** Texts that are not in the search index yet. */
  unindexed: number,
})

/** The counters of a workspace. */
export type WorkspaceStatus = Decoded<typeof workspaceStatus>

const SESSION = {
  id: text,
  /** The id of the session that delegated it. */
  parent: orNull(text),
  principal: text,
  label: text,
  /** How it began: with a link to MCP, a link to one file, a sign-in, or an `initialize` of the legacy era. */
  kind: oneOf('link', 'transfer', 'grant', 'client'),
  policy: json,
  /** Null if it has all scopes of its parent. */
  scopes: orNull(listOf(text)),
  /** Scopes that the owner allowed it on request, beyond all of this. */
  allowed: listOf(text),
  config: json,
  /** Milliseconds since 1970. */
  created: number,
  /** Milliseconds since 1970; null if it does not expire. */
  expires: orNull(number),
  /** The file of a transfer link, and how often it was used. */
  transfer: optional(object({ path: text, direction: oneOf('download', 'upload') })),
  uses: optional(number),
}

const shownSession = object(SESSION)

/** A session as it is listed. */
export type ShownSession = Decoded<typeof shownSession>

/** Sessions, and the number of those that are not listed. */
export const sessionList = object({ sessions: listOf(shownSession), left: number })

/** Sessions, and the number of those that are not listed. */
export type SessionList = Decoded<typeof sessionList>

/** Clients that called tools lately, the last one to call first. */
export const clientList = object({
  clients: listOf(
    object({
      /** What it calls itself: a claim; null if it does not say. */
      client: orNull(text),
      /** Null for callers without a session. */
      session: orNull(text),
      /** The name of its link or sign-in. */
      label: orNull(text),
      /** Milliseconds since 1970. */
      at: number,
    }),
  ),
})

/** Clients that called tools lately, the last one to call first. */
export type ClientList = Decoded<typeof clientList>

/** A new link. Its URL cannot be read again later. */
export const madeLink = object({ ...SESSION, url: text })

/** A named state of the workspace. */
export const shownCheckpoint = object({
  id: text,
  name: text,
  /** The workspace version that it names. */
  version: number,
  /** ISO 8601. */
  at: text,
  /** Who created it, for people. */
  actor: text,
  principal: text,
  session: optional(text),
  label: optional(text),
})

/** A named state of the workspace. */
export type ShownCheckpoint = Decoded<typeof shownCheckpoint>

/** All checkpoints, newest first. */
export const checkpointList = object({ checkpoints: listOf(shownCheckpoint) })

/** A restore that was carried out: the id and version of its change, and the number of its steps. */
export const restored = object({ id: text, version: number, count: number })
