import { invalidInputError } from '../src/kit/errors.ts';
import { builder } from './kit/builder.ts';
import { getTypeName } from './kit/relay-options.ts';

const nodesMax = 50;

/** Returns the ID if its prefix is known; otherwise null, for which no object is found. */
function toKnownId(id: string): string | null {
  return getTypeName(id) === undefined ? null : id;
}

builder.queryFields((t) => ({
  node: t.node({
    description:
      'Returns the object with this ID, or null if it does not exist. The prefix of the ID identifies the type.',
    args: {
      id: t.arg.id({ required: true, description: 'The ID of an object, such as `ch_…` for a charge.' }),
    },
    id: (_root, { id }) => toKnownId(id),
  }),
  nodes: t.nodeList({
    description:
      'Returns the objects with these IDs, in the same order. An entry is null if the object does not exist.',
    args: { ids: t.arg.idList({ required: true, description: 'The IDs of the objects, at most 50.' }) },
    ids: (_root, { ids }) => {
      if (ids.length > nodesMax) throw invalidInputError('/ids', `must have at most ${nodesMax} IDs`);
      return ids.map(toKnownId);
    },
  }),
}));
