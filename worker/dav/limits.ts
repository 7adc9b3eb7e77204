/**
 * Limits of WebDAV. `test/worker/dav/limits.test.ts` tests each at its edge.
 *
 * @module
 */

const KIB = 1024
const MIB = 1024 * KIB

/** Maximum size, in bytes, of the XML of one request. */
export const MAX_XML_BYTES = 256 * KIB

/** Maximum nesting depth of the XML of a request. */
export const MAX_XML_DEPTH = 32

/** Maximum number of elements in the XML of a request. */
export const MAX_XML_ELEMENTS = 2_000

/** Maximum number of attributes, declarations of namespaces included, of one element. */
export const MAX_XML_ATTRIBUTES = 50

/** Maximum length, in UTF-16 code units, of a namespace or a language: elements have those of the ones around them. */
export const MAX_XML_INHERITED = 1_000

/** Maximum length, in UTF-16 code units, of the XML of an answer; a longer one is refused. */
export const MAX_MULTISTATUS_LENGTH = 16 * MIB

/** Maximum number of children of a folder that is listed; a larger one is refused, because a part of it would look like the whole. */
export const MAX_DAV_LISTED = 10_000

/** Maximum number of files and folders that one COPY, MOVE or DELETE of a folder concerns. */
export const MAX_DAV_TREE = 10_000

/** Maximum size, in bytes, of a body that comes without its length: it is in memory until its end is known. */
export const MAX_UNSIZED_BYTES = 16 * MIB

/** Maximum length, in characters, of the headers `If` and `Destination`. */
export const MAX_DAV_HEADER = 8 * KIB

/** Maximum number of conditions in one header `If`. */
export const MAX_IF_CONDITIONS = 200

/** Maximum size, in bytes of XML, of one property that a client stores. */
export const MAX_PROPERTY_BYTES = 8 * KIB

/** Maximum number of properties that one link stores at one path; a further one is refused. */
export const MAX_PATH_PROPERTIES = 50

/** Maximum number of properties that the links of one principal store; beyond it, the oldest are dropped. */
export const MAX_PROPERTIES = 5_000

/** Maximum number of properties stored in a workspace; beyond it, the principal with the most loses its oldest. */
export const MAX_WORKSPACE_PROPERTIES = 20_000

/** Maximum number of uploads whose checksums are remembered; the oldest are dropped. */
export const MAX_CHECKSUMS = 20_000

/** Bytes of small files that one listing reads at most to compute checksums that no upload has left. */
export const MAX_SUMMED_BYTES = 8 * MIB

/** Maximum size, in bytes, of one file of an operating system for itself, such as `.DS_Store`. */
export const MAX_SCRATCH_FILE_BYTES = 256 * KIB

/** Maximum number of such files of one link that are in memory; the oldest is dropped. */
export const MAX_SCRATCH_FILES = 256

/** Maximum size, in bytes, of all such files of a workspace and their paths; the principal with the most loses its oldest. */
export const MAX_SCRATCH_BYTES = 4 * MIB

/** Maximum number of passwords, right or wrong, that an object remembers. */
export const MAX_PASSWORDS = 1_000
