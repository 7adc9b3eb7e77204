/** Names of workspaces, as they stand in addresses, in links and in what a person may grant. @module */

/** A name as the source of a pattern, which a field of a form understands as well. */
export const WORKSPACE_NAME = String.raw`[a-z0-9][a-z0-9\-]{0,62}`

const WHOLE = new RegExp(`^${WORKSPACE_NAME}$`)

export const isWorkspaceName = (text: string): boolean => WHOLE.test(text)
