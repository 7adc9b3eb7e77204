/** Saves data as a file on the user's computer. @module */

/** Time (ms) for the browser to read the data. */
const READ_MS = 60_000

/** Lets the browser save a blob under a name. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), READ_MS)
}
