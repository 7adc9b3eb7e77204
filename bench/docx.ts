/**
 * Small Word documents, so that many can be made while they are sent: an archive whose files are not compressed.
 *
 * @module
 */

const RELATION = 'http://schemas.openxmlformats.org/relationships'

/** Makes a Word document of lines. */
export function makeDocx(lines: readonly string[]): Buffer {
  const body = lines.map((line) => `<w:p><w:r><w:t>${line}</w:t></w:r></w:p>`).join('')
  return zip({
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': `<Relationships><Relationship Id="r1" Type="${RELATION}/mainDocument" Target="word/document.xml"/></Relationships>`,
    'word/document.xml': `<w:document xmlns:w="w"><w:body>${body}</w:body></w:document>`,
  })
}

function zip(files: Readonly<Record<string, string>>): Buffer {
  const pieces: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [name, text] of Object.entries(files)) {
    const [named, content] = [Buffer.from(name), Buffer.from(text)]
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50)
    writeSizes(local, 18, content, named)
    const central = Buffer.alloc(46)
    central.writeUInt32LE(0x02014b50)
    writeSizes(central, 20, content, named)
    central.writeUInt32LE(at, 42)
    pieces.push(local, named, content)
    directory.push(central, named)
    at += local.length + named.length + content.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50)
  end.writeUInt16LE(directory.length / 2, 10)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...pieces, ...directory, end])
}

/** Writes the packed size, the size, and the length of the name. */
function writeSizes(header: Buffer, at: number, content: Buffer, name: Buffer): void {
  header.writeUInt32LE(content.length, at)
  header.writeUInt32LE(content.length, at + 4)
  header.writeUInt16LE(name.length, at + 8)
}
