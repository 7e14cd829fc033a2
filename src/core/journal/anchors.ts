/** Publication refuses a checkpoint whose trigger no committed transaction has confirmed (cassette-contract 6.4). */

import { entityAddressKey, isSameAddress } from '../checkpoint/address.ts';
import type { CheckpointFacts, PlanFacts } from '../checkpoint/check-plan.ts';
import { planFile, type Trigger } from '../checkpoint/plan.ts';
import { observationKey, type ObservationPlace } from '../checkpoint/position.ts';
import type { Report } from '../issue.ts';
import { isBlank } from '../json/read.ts';
import type { JournalFacts } from './check-journal.ts';
import type { CommitCorrelation, JournalEntry, JournalObservation } from './entry.ts';

type ProviderTrigger = Extract<Trigger, { source: 'provider-observation' }>;

/** The units whose entries `checkAnchors` will ask for. */
export function anchorUnits({ checkpoints }: PlanFacts): ObservationPlace[] {
  return checkpoints.flatMap(({ trigger }) => (trigger?.source === 'provider-observation' ? [trigger.position] : []));
}

/** For every provider trigger: observed there, as it says, and committed. What the journal broke is not reported again (6.4). */
export function checkAnchors(plan: PlanFacts, journal: JournalFacts, report: Report): void {
  for (const checkpoint of plan.checkpoints) {
    const { trigger } = checkpoint;
    if (trigger?.source !== 'provider-observation') continue;
    const entry = journal.entryAt(trigger.position);
    if (entry !== 'damaged' && (entry !== null || journal.isWhole)) checkAnchor({ checkpoint, trigger, entry }, report);
  }
}

function checkAnchor({ checkpoint, trigger, entry }: { checkpoint: CheckpointFacts; trigger: ProviderTrigger; entry: JournalEntry | null }, report: Report): void {
  const place = observationKey(trigger.position);
  const at = `${checkpoint.path}.trigger`;
  const observation = entry?.observations.find(({ position }) => observationKey(position) === place);
  if (!entry || !observation) {
    report({ code: 'checkpoint_trigger_missing', file: planFile, path: `${at}.position`, is: 'the journal has no observation there', needed: 'the observation that triggers the checkpoint was needed' });
    return;
  }
  const difference = differingMember(checkpoint, { trigger, observation });
  if (difference !== null) {
    report({ code: 'checkpoint_trigger_mismatch', file: planFile, path: `${checkpoint.path}.${difference}`, is: 'the journal holds another observation there', needed: 'its type, fingerprint and address were needed' });
  } else if (!entry.commitCorrelations.some((correlation) => isConfirmation(correlation, observation))) {
    report({ code: 'checkpoint_commit_unconfirmed', file: planFile, path: at, is: 'no transaction confirms what was observed', needed: 'a confirmed correlation of the same address, position and fingerprint was needed' });
  }
}

function differingMember({ subjects }: CheckpointFacts, { trigger, observation }: { trigger: ProviderTrigger; observation: JournalObservation }): string | null {
  if (trigger.type !== observation.type) return 'trigger.type';
  if (trigger.fingerprint !== observation.fingerprint) return 'trigger.fingerprint';
  // A subject that cannot be read has been reported, and may be the one.
  const isUncertain = subjects === null || subjects.includes(null);
  const key = entityAddressKey(observation.address);
  return isUncertain || subjects.some((subject) => subject && entityAddressKey(subject) === key) ? null : 'subjects';
}

function isConfirmation(correlation: CommitCorrelation, { position, fingerprint, address }: JournalObservation): boolean {
  const { id, kind, expected, confirmed, transactionId, observationPosition, observationFingerprint } = correlation;
  const isExact = isSameAddress(correlation.address, address) && observationKey(observationPosition) === observationKey(position) && observationFingerprint === fingerprint;
  return isExact && confirmed && ![id, kind, expected, transactionId].some(isBlank);
}
