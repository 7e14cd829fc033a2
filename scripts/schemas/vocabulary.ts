/** Closed sets and limits, taken from the code that judges by them and repeated nowhere. */

import activityContract from '../../src/core/activity/activity-contract.json' with { type: 'json' };
import { extensionOf, type BlobMimeType } from '../../src/core/blobs/facts.ts';
import { cassettePolicy as policy } from '../../src/core/cassette/policy.ts';
import { checkpointKinds as kinds, predicateTypes as predicates } from '../../src/core/checkpoint/kinds.ts';
import type { ChunkKind } from '../../src/core/tape/chunk.ts';
import type { CaptureOrigin } from '../../src/core/tape/manifest.ts';

export { outcomes as effectOutcomes } from '../../src/core/activity/check-event.ts';
export { activityKinds } from '../../src/core/activity/event.ts';
export { attachmentKind, imageKind } from '../../src/core/blobs/facts.ts';
export { cassetteModes } from '../../src/core/cassette/manifest.ts';
export { nameCodePointsMax } from '../../src/core/cassette/name.ts';
export { entityKinds, originSources } from '../../src/core/checkpoint/entity.ts';
export { blobPathOf, blobRole } from '../../src/core/cassette/policy.ts';
export { observationSchemaVersion } from '../../src/core/checkpoint/fingerprint.ts';
export { boundaryKinds, triggerSources, unitKinds } from '../../src/core/checkpoint/kinds.ts';
export { planCassetteSchemaVersion, planSchemaVersion } from '../../src/core/checkpoint/plan.ts';
export { activityContract, policy };

export const inventoryFiles = Object.values(policy.files).filter(({ inventory }) => inventory !== false);
export const intentTypes = Object.keys(activityContract.intents);
export const effectTypes = [...new Set(Object.values(activityContract.intents).flatMap(({ effects }) => effects as string[]))].sort();
export const checkpointKinds = Object.keys(kinds);
export const predicateTypes = Object.keys(predicates);
/** Of each predicate that can be compared with one value alone: that value. */
export const onlyValues = Object.entries(predicates).flatMap(([type, { only }]) => (only === null ? [] : [{ type, only }]));

// The compiler keeps these whole.
export const frameKinds = Object.keys({ outbound: true, stdout: true, stderr: true, exit: true } satisfies { [kind in ChunkKind]: true });
export const captureOrigins = Object.keys({ 'process-start': true, 'attached-live-connection': true } satisfies { [origin in CaptureOrigin]: true });

const mimeTypes = Object.keys({ 'image/png': true, 'image/jpeg': true, 'image/webp': true } satisfies { [type in BlobMimeType]: true }) as BlobMimeType[];
export const imageTypes = mimeTypes.map((mimeType) => ({ mimeType, extension: extensionOf(mimeType) }));
