/** A document of one page, for a viewer that shows files of its machine. @module */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { temporaryFolder } from '../e2e/folder.ts'

const CONTENT = 'BT /F1 24 Tf 72 700 Td (A page) Tj ET'

const OBJECTS = [
  '<< /Type /Catalog /Pages 2 0 R >>',
  '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
  `<< /Length ${CONTENT.length} >>\nstream\n${CONTENT}\nendstream`,
  '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
]

/** Writes the document, with the table of the positions of its objects. */
function writeDocument(): string {
  let text = '%PDF-1.4\n'
  const positions = OBJECTS.map((object, index) => {
    const at = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(at).padStart(10, '0')} 00000 n \n`
  })
  const size = OBJECTS.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${positions.join('')}`
  return `${text}${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`
}

/** Creates the document in a folder of its own. Returns its path, and the arguments that name it. */
export function temporaryDocument() {
  const path = join(temporaryFolder(), 'page.pdf')
  writeFileSync(path, writeDocument())
  return { path, args: { url: pathToFileURL(path).href } }
}
