import type { FeedAuthentication } from './authentication.ts';
import type { FeedDefinition } from './feed-definition.ts';
import type { FeedMapping } from './feed-mapping.ts';
import { airwallex } from './presets/airwallex.ts';
import { akahu } from './presets/akahu.ts';
import { anz } from './presets/anz.ts';
import { cassoV1, cassoV2 } from './presets/casso.ts';
import { folder } from './presets/folder.ts';
import { monoova } from './presets/monoova.ts';
import { popbill } from './presets/popbill.ts';
import { scb } from './presets/scb.ts';
import { sepay } from './presets/sepay.ts';
import { sftp } from './presets/sftp.ts';
import { snap } from './presets/snap.ts';
import { wise } from './presets/wise.ts';

type PresetDefinition = FeedDefinition & Required<Pick<FeedDefinition, 'createSample'>>;

const definitions = {
  airwallex,
  akahu,
  anz,
  casso_v1: cassoV1,
  casso_v2: cassoV2,
  folder,
  monoova,
  popbill,
  scb,
  sepay,
  sftp,
  snap,
  wise,
};

export type FeedPreset = keyof typeof definitions;

/** The definition of each kind of feed, except custom feeds. */
export const presets = definitions as Readonly<Record<FeedPreset, PresetDefinition>>;

/** `custom`: the merchant describes the sender's format. */
export type FeedKind = FeedPreset | 'custom';

export const feedKinds: readonly FeedKind[] = [...(Object.keys(presets) as FeedPreset[]), 'custom'];

export function isFeedKind(text: string): text is FeedKind {
  return (feedKinds as readonly string[]).includes(text);
}

/** The description of a sender without a preset. */
export type CustomFeed = { authentications: readonly FeedAuthentication[]; mapping: FeedMapping };

export function getAuthentications(
  { authentications }: FeedDefinition,
  name: string,
): readonly FeedAuthentication[] {
  const found = Object.hasOwn(authentications, name) && authentications[name];
  if (!found) throw new Error(`Unknown authentication: ${name}`);
  return found;
}

export function getFeedDefinition(kind: FeedKind, custom: CustomFeed | undefined): FeedDefinition {
  if (kind !== 'custom') return presets[kind];
  if (!custom) throw new Error('A custom feed has no description');
  return {
    name: 'Signed JSON',
    evidence: 'unverified',
    source: '',
    authentications: { custom: custom.authentications },
    mappings: [custom.mapping],
    accept: () => ({ status: 200, body: { received: true } }),
  };
}
