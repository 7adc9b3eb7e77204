/** Answers about the apps of a workspace. What a manifest has was written by an agent or a person: it is untrusted. @module */

import {
  flag,
  json,
  listOf,
  number,
  object,
  oneOf,
  optional,
  orNull,
  record,
  text,
  type Decoded,
} from '../../decode.ts'

/** What is wrong with a manifest, and where: a JSON pointer (RFC 6901). */
const problem = object({ pointer: text, message: text })

const origins = listOf(text)

const manifest = object({
  title: text,
  description: text,
  entrypoint: text,
  /** Null for a page of its own, which is code. */
  template: orNull(text),
  config: record,
  csp: object({
    connectDomains: origins,
    resourceDomains: origins,
    frameDomains: origins,
    baseUriDomains: origins,
  }),
  permissions: listOf(text),
  prefersBorder: flag,
  /** The dedicated origin that it asks its host for; null for none. */
  domain: orNull(text),
  /** The tool whose results it shows; null for an app with a tool of its own. */
  forTool: orNull(text),
  data: listOf(text),
  write: listOf(text),
})

/** What an app asks for. */
export type ShownManifest = Decoded<typeof manifest>

const appFile = object({
  path: text,
  size: number,
  /** What has happened to it since the last decision. */
  change: orNull(oneOf('added', 'changed', 'deleted')),
  /** Whether its content cannot be shown as text, so that approving it takes a yes of its own. */
  unseen: optional(flag),
})

/** A file of an app. */
export type AppFile = Decoded<typeof appFile>

/** An app that waits for the owner, or that was decided. */
export const shownApp = object({
  name: text,
  /** Names the state of its files; a decision names it. */
  revision: text,
  state: oneOf('approved', 'turned_down', 'waiting', 'invalid'),
  /** Null if its `app.json` has problems. */
  manifest: orNull(manifest),
  problems: listOf(problem),
  files: listOf(appFile),
  /** The last decision, also if the files have changed since. */
  decided: orNull(object({ state: oneOf('approved', 'turned_down'), at: number, manifest: json })),
})

/** An app that waits for the owner, or that was decided. */
export type ShownApp = Decoded<typeof shownApp>

/** The apps in order of their names, the number of those that wait, and of folders that are not listed. */
export const appList = object({ waiting: number, left: number, apps: listOf(shownApp) })

/** The apps of a workspace. */
export type AppList = Decoded<typeof appList>

/**
 * The difference of one file of an app, in the form of the review of a change, and whether history has dropped its state
 * at the last approval.
 */
export const appFileDifference = object({ revision: text, file: record, forgotten: flag })

/** A decision that was taken back. */
export const withdrawnApp = object({ name: text, state: oneOf('waiting') })

/** What an app would be with a manifest that is only sent: its page, if there is no problem. */
export const appPreview = object({
  /** Whether there is an app of this name already. */
  taken: flag,
  problems: listOf(problem),
  /** The HTML of the page of templates with the settings of the app. */
  page: optional(text),
  title: optional(text),
  /** Paths and patterns of the files that it shows. */
  data: optional(listOf(text)),
})

/** What an app would be with a manifest that is only sent. */
export type AppPreview = Decoded<typeof appPreview>
