/** Answers about the apps of a workspace. What a manifest has was written by an agent or a person: it is untrusted. @module */

import {
  flag,
  listOf,
  number,
  object,
  optional,
  orNull,
  record,
  text,
  type Decoded,
} from '../../decode.ts'
import { manifestProblem, shownFolder } from './approved.ts'

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

/** An app that waits for the owner, or that was decided. */
export const shownApp = object(shownFolder(manifest))

/** An app that waits for the owner, or that was decided. */
export type ShownApp = Decoded<typeof shownApp>

/** The apps in order of their names, the number of those that wait, and of folders that are not listed. */
export const appList = object({ waiting: number, left: number, apps: listOf(shownApp) })

/** The apps of a workspace. */
export type AppList = Decoded<typeof appList>

/** What an app would be with a manifest that is only sent: its page, if there is no problem. */
export const appPreview = object({
  /** Whether there is an app of this name already. */
  taken: flag,
  problems: listOf(manifestProblem),
  /** The HTML of the page of templates with the settings of the app. */
  page: optional(text),
  title: optional(text),
  /** Paths and patterns of the files that it shows. */
  data: optional(listOf(text)),
})

/** What an app would be with a manifest that is only sent. */
export type AppPreview = Decoded<typeof appPreview>
