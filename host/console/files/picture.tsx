/**
 * A picture of the workspace. The server sends SVG as text, so that it runs nothing; an image element runs nothing of it
 * either, so it is given to one as a blob. `test/host/console/files/place.test.tsx` has the cases.
 *
 * @module
 */

import { useEffect, useState } from 'preact/hooks'
import { nameOf, parsePath } from '#core/path.ts'
import { visible } from '#core/visible.ts'
import { fetchOwn } from '../connect/http.ts'
import { basePath } from '../connect/workspace.ts'
import { addressOf } from './source.ts'

interface Props {
  readonly path: string
  /** A new version is read again. */
  readonly version?: number
  readonly alt?: string
}

/** Largest SVG that is drawn, in bytes. */
const MAX_SVG_BYTES = 2_000_000

/** Shows a picture. */
export function Picture({ path, version = 0, alt }: Props) {
  const isSvg = /\.svg$/i.test(path)
  const address = addressOf(basePath.value, path)
  const drawn = useSvg(isSvg ? address : null, version)
  const src = isSvg ? drawn : `${address}?v=${version}`
  const text = alt ?? visible(nameOf(parsePath(path)))
  return src === null ? null : <img class="workspacepicture" src={src} alt={text} loading="lazy" />
}

/** Reads an SVG as a blob; null while it is read, and if it cannot be. */
function useSvg(address: string | null, version: number): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (address === null) return
    let made: string | null = null
    let isGone = false
    void readSvg(address).then((blob) => {
      if (blob === null || isGone) return
      made = URL.createObjectURL(blob)
      setUrl(made)
    })
    return () => {
      isGone = true
      if (made !== null) URL.revokeObjectURL(made)
    }
  }, [address, version])
  return url
}

async function readSvg(address: string): Promise<Blob | null> {
  const response = await fetchOwn(address).catch(() => null)
  const size = Number(response?.headers.get('content-length') ?? 0)
  if (!response?.ok || size > MAX_SVG_BYTES) return null
  return new Blob([await response.arrayBuffer()], { type: 'image/svg+xml' })
}
