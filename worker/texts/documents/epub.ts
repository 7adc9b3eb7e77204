/**
 * EPUB: the chapters of a book in their order. Rights management is named where a chapter is encrypted.
 * `test/worker/texts/documents/formats.test.ts` compares it with other programs.
 *
 * @module
 */

import type { Budget } from './budget.ts'
import { DocumentFault, type DocumentText } from '../document.ts'
import { Flow } from './flow.ts'
import { titleOf } from './html.ts'
import { writeHtml } from './html-text.ts'
import { createWriter } from './writer.ts'
import { needPart, resolvePart, walkXml } from './xml-part.ts'
import type { Archive } from './zip.ts'

/** Algorithms that hide fonts and leave the text as it is. */
const FONTS = /^http:\/\/(?:www\.idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc#RC)$/

/** Reads a book. */
export async function readEpub(archive: Archive, budget: Budget): Promise<DocumentText> {
  await refuseEncrypted(archive, budget)
  const writer = createWriter(budget)
  let [packagePath, number] = ['', 0]
  await walkXml(needPart(archive, 'META-INF/container.xml'), budget, {
    open(name, attribute) {
      if (name === 'rootfile' && packagePath === '') packagePath = attribute('full-path') ?? ''
    },
  })
  for (const part of await readSpine(archive, packagePath, budget)) {
    const source = archive.text(part)
    if (source === null) continue
    const title = titleOf(source)
    await writer.page(`chapter ${++number}${title && `: ${title}`}`)
    await writeHtml(source, budget, new Flow(writer, 'chapter'))
  }
  return writer.end('epub', true)
}

async function refuseEncrypted(archive: Archive, budget: Budget): Promise<void> {
  const source = archive.text('META-INF/encryption.xml')
  if (source === null) return
  await walkXml(source, budget, {
    open(name, attribute) {
      if (name === 'EncryptionMethod' && !FONTS.test(attribute('Algorithm') ?? ''))
        throw new DocumentFault('encrypted', 'its rights are managed')
    },
  })
}

/** Returns the parts of the chapters in their order. */
async function readSpine(
  archive: Archive,
  packagePath: string,
  budget: Budget,
): Promise<readonly string[]> {
  const items = new Map<string, string>()
  const spine: string[] = []
  const folder = packagePath.slice(0, packagePath.lastIndexOf('/') + 1)
  await walkXml(needPart(archive, packagePath), budget, {
    open(name, attribute) {
      if (name === 'item') items.set(attribute('id') ?? '', decodePath(attribute('href') ?? ''))
      else if (name === 'itemref') spine.push(attribute('idref') ?? '')
    },
  })
  return spine.flatMap((id) => {
    const reference = items.get(id)
    return reference === undefined ? [] : [resolvePart(folder, reference)]
  })
}

function decodePath(reference: string): string {
  try {
    return decodeURIComponent(reference)
  } catch {
    return reference
  }
}
