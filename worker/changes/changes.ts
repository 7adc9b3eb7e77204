/**
 * Previews (`preview-table.ts`) and applied changes, both as resources at `ui://` addresses.
 *
 * An applied change is described from history, for as long as history has it. `test/worker/changes/changes.test.ts`
 * and `test/worker/changes/dropped-history.test.ts` have the cases.
 *
 * @module
 */

import { APP_MIME } from '#core/wire.ts'
import type { DraftView } from '../access/draft-view.ts'
import type { Caller } from '../access/caller.ts'
import { waitingUrl } from '../waiting-url.ts'
import { readComparison } from './comparison.ts'
import { describeApplied } from './describe.ts'
import type { Facts } from './facts.ts'
import { createPreviewTable, type PreviewReader, type PreviewTable } from './preview-table.ts'
import { DIFF_MIME, renderFacts } from './render.ts'

/** A caller that reads a change, and what it may see. */
export interface Reader extends PreviewReader {
  readonly owner: PreviewReader['owner'] & Pick<Caller, 'base'>
  /** Its draft, whose changes are not applied. */
  readonly draft: Pick<DraftView, 'waits' | 'status'>
}

/** The previews and changes of one workspace. */
export type Changes = ReturnType<typeof createChanges>

/** Manages the previews of one workspace, and reads its changes. `wakeAt` is called with the time of an expiry. */
export function createChanges(database: SqlStorage, wakeAt: (time: number) => void) {
  const table = createPreviewTable(database, wakeAt)
  return {
    ...table,
    read: (uri: string, reader: Reader) => read(table, uri, reader),
    /** Describes a change of the workspace, or of the reader's draft; null if its history has none. */
    factsOf: (id: string, reader: Reader) => readApplied(id, reader),
  }
}

/** Describes a change of history, or of the reader's draft. */
async function readApplied(id: string, { store, draft, owner }: Reader): Promise<Facts | null> {
  const changes = store.changesOf(id)
  const last = changes.at(-1)
  if (!last) return null
  const paths = [...new Set(changes.flatMap((change) => change.paths))]
  const { tool, intent } = last
  const applied = !draft.waits(id)
  const waits = applied ? {} : { waits: { url: decisionUrl(draft, owner.base) } }
  const facts = {
    tool,
    intent,
    applied,
    ...waits,
    paths,
    ...(await describeApplied(changes, store)),
  }
  return changes.every(({ complete }) => complete) ? facts : { ...facts, incomplete: true }
}

function decisionUrl(draft: Reader['draft'], base: string): string | null {
  const { open } = draft.status()
  return open && waitingUrl(base, open.name)
}

/** Reads the resource at a `ui://` address of a change; null when there is none for this reader. */
async function read(
  table: PreviewTable,
  uri: string,
  reader: Reader,
): Promise<{ mimeType: string; text: string } | null> {
  const compared = await readComparison(uri, reader)
  if (compared) return compared
  const [, tool, id, form] = ADDRESS.exec(uri) ?? []
  if (id === undefined) return null
  const facts = table.read(id, reader) ?? (await readApplied(id, reader))
  return facts && facts.tool === tool ? renderFacts(facts, form, reader.access.base) : null
}

const ADDRESS = /^ui:\/\/([A-Za-z_]+)\/([0-9a-z-]{1,36})(?:\.(diff|json))?$/

/** Returns the URIs of a change's resources. */
export function addressesOf(tool: string, id: string) {
  const review = `ui://${tool}/${id}`
  return { review, diff: `${review}.diff` }
}

/** Builds resource links for the person, which a host need not show to the model. */
export function linksOf(tool: string, id: string) {
  const { review, diff } = addressesOf(tool, id)
  const link = (uri: string, name: string, mimeType: string) => ({
    type: 'resource_link' as const,
    uri,
    name,
    mimeType,
    annotations: { audience: ['user' as const] },
  })
  return [link(review, 'review', APP_MIME), link(diff, 'diff', DIFF_MIME)]
}
