/** The page of a folder: a list of what it has, and the text of its README. `test/worker/page-links/render.test.ts` tests it. @module */

import { nameOf, resolvePath } from '#core/path.ts'
import { markup, type Html } from '../encoding/html.ts'
import { pathHtml } from '../encoding/visible-html.ts'
import type { Entry, FileEntry } from '../store/store.ts'
import { decodeText, shownText } from '../texts/text.ts'
import { addressOf } from './addresses.ts'
import { textHtml, type FilePageParts } from './file-page.ts'
import { formatBytes, framedPage } from './layout.ts'
import { MAX_PAGE_ENTRIES, MAX_PAGE_TEXT_BYTES } from './limits.ts'

/** Builds the page of a folder, with the entries after a name. */
export async function folderPage(
  folder: Entry,
  after: string | null,
  parts: FilePageParts,
): Promise<Response | null> {
  const { addresses } = parts
  const from = after === null ? null : resolvePath(after, folder.path)
  if (from && !from.ok) return null
  const found = addresses.source.list(folder.path, {
    after: from?.value ?? null,
    limit: MAX_PAGE_ENTRIES + 1,
  })
  const entries = found.slice(0, MAX_PAGE_ENTRIES)
  const last = entries.at(-1)
  const hasMore = found.length > entries.length
  const count = `${entries.length}${hasMore ? ' or more' : ''} ${entries.length === 1 && !hasMore ? 'entry' : 'entries'}`
  const next =
    hasMore && last
      ? markup`<nav class="ways"><a class="button" href="${`${addressOf(addresses, folder.path)}?after=${encodeURIComponent(nameOf(last.path))}`}">More entries</a></nav>`
      : null
  const readme = after === null ? await readmeHtml(entries, parts) : null
  const body = markup`${listHtml(entries, parts)}${next}${readme}`
  const facts = [markup`${count}`, markup`version ${addresses.link.version}`]
  return framedPage(
    {
      path: folder.path,
      facts: addresses.link.isLive ? facts.slice(0, 1) : facts,
      isFile: false,
      body,
    },
    addresses,
  )
}

function listHtml(entries: readonly Entry[], { addresses }: FilePageParts): Html {
  if (entries.length === 0) return markup`<p class="note">This folder is empty.</p>`
  const rows = entries.map((entry) => {
    const href = addressOf(addresses, entry.path)
    const name = nameOf(entry.path)
    return entry.type === 'folder'
      ? markup`<li><a class="folder" href="${href}">${pathHtml(`${name}/`)}</a></li>`
      : markup`<li><a href="${href}">${pathHtml(name)}</a><span class="size">${formatBytes(entry.size)}</span></li>`
  })
  return markup`<ul class="entries">${rows}</ul>`
}

const README = /^(?:readme|index)\.(?:md|markdown)$/i

async function readmeHtml(entries: readonly Entry[], parts: FilePageParts): Promise<Html | null> {
  const file = entries.find(
    (entry): entry is FileEntry => entry.type === 'file' && README.test(nameOf(entry.path)),
  )
  if (!file || file.size > MAX_PAGE_TEXT_BYTES) return null
  const decoded = decodeText(await parts.store.bytes(file))
  const body = decoded && textHtml(file, shownText(decoded), { ...parts, part: 1 })
  return body && markup`<section class="readme">${body}</section>`
}
