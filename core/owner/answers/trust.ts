/** Answers about trust: what the owner lets pass for a time. Times are in milliseconds since 1970. @module */

import { listOf, number, object, oneOf, orNull, text, type Decoded } from '../../decode.ts'
import { RISKS, type Risk } from './drafts.ts'

const DETAILS = {
  /** The connection; its children do not have it. */
  session: text,
  /** The name of the session, or of its link: a claim. */
  label: text,
  /** What the client calls itself, where `label` is that of its link. */
  client: orNull(text),
  /** Every path of a change is in this folder. */
  folder: text,
  tools: listOf(text),
  /** The kinds of risky changes that pass as well. */
  kinds: listOf(oneOf(...RISKS)),
  until: number,
}

/** What is shown before trust is given; `digest` names it. */
export const shownTrust = object({ ...DETAILS, digest: text })

/** What is shown before trust is given. */
export type ShownTrust = Decoded<typeof shownTrust>

const givenTrust = object({ id: text, ...DETAILS, given: number })

/** Trust that is in force. */
export type GivenTrust = Decoded<typeof givenTrust>

/** All trust that is in force, the one that ends first before the others. */
export const trustList = object({ trusts: listOf(givenTrust) })

const KINDS: Readonly<Record<Risk, string>> = {
  deletion: 'deletions',
  rewrite: 'rewritten files',
  secret: 'files that may hold secrets',
  app: 'apps, skills and instructions for agents',
  executable: 'files that programs run',
  hidden: 'hidden characters',
  lookalike: 'look-alike names',
  brings_back: 'files of which something was left out',
}

/** Names a kind of risky changes in the plural, in the audit log as in the console. */
export const describeKind = (kind: Risk): string => KINDS[kind]
