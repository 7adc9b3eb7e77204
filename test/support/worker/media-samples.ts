/** Small real files of formats with a signature, and files whose name says what they are not. @module */

const fromBase64 = (text: string) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0))

/** Encodes a text as UTF-8. */
export const utf8 = (text: string) => new TextEncoder().encode(text)

/** Bytes of the characters of a Latin-1 text. */
export const latin1 = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0))

/** An image of one pixel, as PNG. */
export const PNG = fromBase64(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
)

/** An image of one pixel, as GIF. */
export const GIF = fromBase64('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7')

/** An image of one pixel, as JPEG. */
export const JPEG = fromBase64(
  '/9j/4AAQSkZJRgABAQEAYABgAAD/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0aHBwgJC4nICIsIxwcKDcpLDAxNDQ0Hyc5PTgyPC4zNDL/2wBDAQkJCQwLDBgNDRgyIRwhMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjL/wAARCAABAAEDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAn/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFAEBAAAAAAAAAAAAAAAAAAAAAP/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/AKpgB//Z',
)

/** Images of one pixel, as WebP with losses and without. */
export const WEBP = {
  lossy: fromBase64('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA'),
  lossless: fromBase64('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=='),
}

/** The beginning of a PNG and no more: it has the header of its first chunk, and no size. */
export const PNG_STUB = PNG.slice(0, 18)

/** What Git has in place of a large file that was not fetched. */
export const LFS_POINTER = `version https://git-lfs.github.com/spec/v1
oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393
size 12345
`

/** What a server sends in place of an image that it does not have. */
export const NOT_FOUND_PAGE = `<!DOCTYPE html>
<html><head><title>404 Not Found</title><script>alert(1)</script></head><body>Not Found</body></html>
`

/** Six bytes that are no image and no text. */
export const JUNK = Uint8Array.of(0x00, 0xff, 0x13, 0x00, 0xfe, 0x80)
