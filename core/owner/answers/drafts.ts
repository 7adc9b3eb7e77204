/**
 * Answers about drafts: what waits, what each draft changes, and what was decided. Everything that an agent wrote in them
 * is untrusted. Times are in milliseconds since 1970, sizes in bytes.
 *
 * @module
 */

import {
  flag,
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

/** Whose a draft or an access request is. */
export const OWNER_MEMBERS = {
  /** As it is shown. */
  actor: text,
  principal: text,
  session: orNull(text),
  /** The name of the session, or of its link. */
  label: orNull(text),
  /** What the client calls itself, where `label` is that of its link. */
  client: orNull(text),
}

const SUMMARY = {
  id: text,
  ...OWNER_MEMBERS,
  /** Why the agent made the changes: its claim; empty if it gave none. It is no part of what is approved. */
  reason: text,
  opened: number,
  /** When the newest change joined. */
  touched: number,
  expires: number,
  /** Whether it may be of several programs: only the names that they claim separate its clients. */
  shared: flag,
  /** Whether the session has ended that made it. */
  ended: flag,
}

const draftSummary = object({ ...SUMMARY, changes: number })

/** A draft in the list of what waits, with the number of its changes. */
export type DraftSummary = Decoded<typeof draftSummary>

/** What a draft is, in the list and by itself. */
export type DraftFacts = Omit<DraftSummary, 'changes'>

/** All drafts, the one with the newest change first, and the numbers of everything that waits. */
export const waitingList = object({
  /** Changes of all drafts, access requests, apps and skills. */
  waiting: number,
  requests: number,
  apps: number,
  skills: number,
  drafts: listOf(draftSummary),
})

/** What waits. */
export type WaitingList = Decoded<typeof waitingList>

/** Why a change does not fit the workspace any more; null if it does. */
const conflict = orNull(object({ code: text, message: text }))

const proposedChange = object({
  id: text,
  tool: text,
  intent: text,
  at: number,
  level: oneOf('review', 'confirm'),
  /** The first paths that it changes, and the number of the others. */
  paths: listOf(text),
  paths_left_out: optional(number),
  /** Changes and files with the same number depend on each other. */
  group: number,
  /** Names what the group does, on its last change. */
  digest: optional(text),
  conflict,
})

/** A change of a draft. */
export type ProposedChange = Decoded<typeof proposedChange>

/** Why a changed file is worth a first look. */
export const RISKS = [
  'deletion',
  'rewrite',
  'secret',
  'app',
  'executable',
  'hidden',
  'lookalike',
  'brings_back',
] as const

/** One of {@link RISKS}. */
export type Risk = (typeof RISKS)[number]

const changedFile = object({
  path: text,
  type: oneOf('file', 'folder'),
  change: oneOf('added', 'changed', 'deleted'),
  /** Sizes now and in the draft; null where there is no file. */
  before: orNull(number),
  after: orNull(number),
  group: number,
  /** Names both states. Its difference and its bytes are those of the list only with the same digest. */
  digest: text,
  /** Names all that its row shows, for marks of what was viewed. */
  mark: text,
  /** Whether it is executable now and in the draft, unless it is in neither. */
  executable: optional(object({ before: flag, after: flag })),
  /** Whether its new content is not shown line by line, so that approving it takes a yes of its own. */
  unseen: optional(flag),
  /** The path that it was moved from, with the same content. */
  from: optional(text),
  /** Lines that were added and removed; none where they were not compared. */
  added: optional(number),
  removed: optional(number),
  /** The files that go with a deleted folder, which are listed `below` it. */
  files: optional(number),
  /** The deleted folder that it goes with. */
  below: optional(text),
  risks: listOf(oneOf(...RISKS)),
})

/** A file or folder that a draft changes. */
export type ChangedFile = Decoded<typeof changedFile>

/** Of all files of a draft. */
const SUMS = {
  /** Files with a risk. */
  risky: number,
  /** Lines of those that were compared. */
  added: number,
  removed: number,
}

/** What a draft changes, for its card. */
export const draftSum = object({
  files: number,
  ...SUMS,
  /** The first files of its review. */
  first: listOf(changedFile),
})

/** What a draft changes, for its card. */
export type DraftSum = Decoded<typeof draftSum>

const FILES = { files: listOf(changedFile), files_left_out: number }

const fileList = object(FILES)

/** The first files of a comparison, and the number of the others. */
export type FileList = Decoded<typeof fileList>

const receiver = object({ session: text, label: text, created: number })

/** A connection to which the owner can hand a draft over. Its label is its claim. */
export type DraftReceiver = Decoded<typeof receiver>

/** A draft with its first changes and files, and the numbers of those that follow. */
export const draftContents = object({
  ...SUMMARY,
  /** Connections that could have the draft; none where a new one with the same grant or link takes it over by itself. */
  receivers: listOf(receiver),
  /** Identifies what was shown; a decision names it. */
  revision: text,
  changes: listOf(proposedChange),
  changes_left_out: number,
  ...FILES,
  ...SUMS,
})

/** A draft as it was shown. */
export type DraftContents = Decoded<typeof draftContents>

/** A further page of the changes of a revision. The answer names another revision if there is that one no more. */
export const changePage = object({
  revision: text,
  changes: listOf(proposedChange),
  left: number,
})

/** The same of its files. */
export const filePage = object({ revision: text, files: listOf(changedFile), left: number })

/** What one change does after the earlier ones that it depends on (`own`), and what all of them do. */
export const singleChange = object({
  /** The ids of the earlier ones and its own, which can be approved together. */
  changes: listOf(text),
  /** Names what all of them do. */
  digest: text,
  own: fileList,
  together: fileList,
  conflict,
})

/** One change on its own. */
export type SingleChange = Decoded<typeof singleChange>

/** The difference of one file, in the form of the review of a change. */
export const fileDifference = object({ file: record, digest: text })

/** A decision that was carried out. */
export const decided = object({
  /** The id that takes back everything that was approved; null after turning down. */
  approval: orNull(text),
  decided: number,
  /** Number of changes that still wait. */
  left: number,
})

/** A decision that was carried out. */
export type Decided = Decoded<typeof decided>
