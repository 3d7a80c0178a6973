import { invalidInput } from '../src/kit/errors.ts';
import { builder } from './kit/builder.ts';
import { typeNameOf } from './kit/relay-options.ts';

const nodesMax = 50;

/** The id itself where it is one of ours; null, and so no object, otherwise. */
function known(id: string): string | null {
  return typeNameOf(id) === undefined ? null : id;
}

builder.queryFields((t) => ({
  node: t.node({
    description: 'Any object by its id; the prefix of the id names the type.',
    args: { id: t.arg.id({ required: true, description: 'The id.' }) },
    id: (_root, { id }) => known(id),
  }),
  nodes: t.nodeList({
    description: 'Several objects by their ids, in the same order; null where there is none.',
    args: { ids: t.arg.idList({ required: true, description: 'The ids, at most 50.' }) },
    ids: (_root, { ids }) => {
      if (ids.length > nodesMax) throw invalidInput('/ids', `must have at most ${nodesMax} ids`);
      return ids.map(known);
    },
  }),
}));
