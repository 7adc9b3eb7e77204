/** The state of an import: sends the chosen files as one archive, with progress. @module */

import { useRef, useState } from 'preact/hooks'
import { revision } from '../connect/connection.ts'
import { isArchive, packFiles, type LocalFile } from './tar.ts'
import { ownBase } from '../connect/workspace.ts'
import { sendArchive, type ImportReport } from './send-archive.ts'

/** How much of the archive has been sent, in bytes. */
export interface Sending {
  readonly sent: number
  readonly total: number
}

/** What is chosen for the import. */
export interface Upload {
  readonly files: readonly LocalFile[]
  /** The folder to import into. */
  readonly to: string
}

/** Holds the state of an import, with the functions that start and stop it. */
export function useImport({ files, to }: Upload) {
  const [sending, setSending] = useState<Sending | null>(null)
  const [report, setReport] = useState<ImportReport | null>(null)
  const [error, setError] = useState<unknown>(null)
  const running = useRef<AbortController | null>(null)
  const send = async () => {
    const base = ownBase.value
    if (base === null || files.length === 0) return
    const blob: Blob = findArchive(files) ?? packFiles(files).archive
    const controller = new AbortController()
    running.current = controller
    setError(null)
    setSending({ sent: 0, total: blob.size })
    try {
      const options = {
        to,
        signal: controller.signal,
        onProgress: (sent: number) => setSending({ sent, total: blob.size }),
      }
      setReport(await sendArchive(base, blob, options))
    } catch (problem) {
      if (!controller.signal.aborted) setError(problem)
    } finally {
      setSending(null)
      revision.value++
    }
  }
  return { sending, report, error, send, stop: () => running.current?.abort() }
}

/** Returns the only file if it is an archive, which is sent as it is. */
export function findArchive([first, second]: readonly LocalFile[]): File | null {
  return first && !second && isArchive(first.file) ? first.file : null
}
