/** The tools, in the order in which they are listed. @module */

import { compareCheckpoints } from './compare-checkpoints.ts'
import { copyFile } from './copy-file.ts'
import { createCheckpoint } from './create-checkpoint.ts'
import { createFolder } from './create-folder.ts'
import { delegate } from './delegate.ts'
import { deleteFile } from './delete-file.ts'
import { draftStatus } from './draft-status.ts'
import { editFile } from './edit-file.ts'
import { fileHistory } from './file-history.ts'
import { findFiles } from './find-files.ts'
import { lease } from './lease.ts'
import { listChanges } from './list-changes.ts'
import { listCheckpoints } from './list-checkpoints.ts'
import { listFolder } from './list-folder.ts'
import { listRoots } from './list-roots.ts'
import { moveFile } from './move-file.ts'
import { readFile } from './read-file.ts'
import { readMultipleFiles } from './read-multiple-files.ts'
import { respondToReview } from './respond-to-review.ts'
import { restoreCheckpoint } from './restore-checkpoint.ts'
import { restoreFile } from './restore-file.ts'
import { searchFiles } from './search-files.ts'
import { transferLink } from './transfer-link.ts'
import { undoChange } from './undo-change.ts'
import { writeFile } from './write-file.ts'

const all = [
  listRoots,
  findFiles,
  searchFiles,
  readFile,
  readMultipleFiles,
  writeFile,
  editFile,
  moveFile,
  copyFile,
  deleteFile,
  delegate,
  transferLink,
  lease,
  draftStatus,
  respondToReview,
  listFolder,
  fileHistory,
  listChanges,
  restoreFile,
  undoChange,
  createFolder,
  createCheckpoint,
  listCheckpoints,
  compareCheckpoints,
  restoreCheckpoint,
]

/** All tools by name. */
export const TOOLS = new Map(all.map((tool) => [tool.name, tool]))
