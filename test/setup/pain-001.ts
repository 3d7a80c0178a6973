import sax from 'sax';
import { expect } from 'vitest';

/**
 * The part of the schemas pain.001.001.03 and .09 that the service uses: the children of each element in the order of
 * `xs:sequence`, with `?` for optional ones and `*` for one or more.
 */
const sequences: Record<string, string[]> = {
  Document: ['CstmrCdtTrfInitn'],
  CstmrCdtTrfInitn: ['GrpHdr', 'PmtInf*'],
  GrpHdr: ['MsgId', 'CreDtTm', 'NbOfTxs', 'CtrlSum?', 'InitgPty'],
  InitgPty: ['Nm?'],
  PmtInf: [
    'PmtInfId',
    'PmtMtd',
    'BtchBookg?',
    'NbOfTxs?',
    'CtrlSum?',
    'PmtTpInf?',
    'ReqdExctnDt',
    'Dbtr',
    'DbtrAcct',
    'DbtrAgt',
    'DbtrAgtAcct?',
    'UltmtDbtr?',
    'ChrgBr?',
    'CdtTrfTxInf*',
  ],
  Dbtr: ['Nm?', 'PstlAdr?'],
  Cdtr: ['Nm?', 'PstlAdr?'],
  PstlAdr: ['Ctry?'],
  DbtrAcct: ['Id', 'Tp?', 'Ccy?', 'Nm?'],
  CdtrAcct: ['Id', 'Tp?', 'Ccy?', 'Nm?'],
  DbtrAgt: ['FinInstnId'],
  CdtrAgt: ['FinInstnId'],
  FinInstnId: ['BIC?', 'ClrSysMmbId?', 'Nm?', 'PstlAdr?', 'Othr?'],
  ClrSysMmbId: ['ClrSysId?', 'MmbId'],
  ClrSysId: ['Cd'],
  CdtTrfTxInf: [
    'PmtId',
    'PmtTpInf?',
    'Amt',
    'XchgRateInf?',
    'ChrgBr?',
    'ChqInstr?',
    'UltmtDbtr?',
    'CdtrAgt?',
    'CdtrAgtAcct?',
    'Cdtr?',
    'CdtrAcct?',
    'UltmtCdtr?',
    'Purp?',
    'RmtInf?',
  ],
  PmtId: ['InstrId?', 'EndToEndId'],
  Amt: ['InstdAmt'],
  RmtInf: ['Ustrd*'],
};

/** The text of elements without children. */
const textPatterns: Record<string, RegExp> = {
  MsgId: /^.{1,35}$/u,
  PmtInfId: /^.{1,35}$/u,
  InstrId: /^[A-Za-z0-9]{1,35}$/,
  EndToEndId: /^[A-Za-z0-9]{1,35}$/,
  CreDtTm: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/,
  NbOfTxs: /^[0-9]{1,15}$/,
  CtrlSum: /^(?=[\d.]{1,19}$)\d+(\.\d{1,17})?$/,
  PmtMtd: /^(CHK|TRF|TRA)$/,
  ChrgBr: /^(DEBT|CRED|SHAR|SLEV)$/,
  Nm: /^\S.{0,138}\S$|^\S$/u,
  Ctry: /^[A-Z]{2}$/,
  Ccy: /^[A-Z]{3}$/,
  Cd: /^[A-Z]{1,5}$/,
  MmbId: /^.{1,35}$/u,
  InstdAmt: /^(?=[\d.]{1,19}$)\d+(\.\d{1,5})?$/,
  Ustrd: /^.{1,140}$/u,
  Dt: /^\d{4}-\d\d-\d\d$/,
};

type PainNode = { name: string; attributes: Record<string, string>; children: PainNode[]; text: string };

/** Checks a file against the schema, and its counts and sums against its payments. Returns its content. */
export function checkPain001(xml: string, version: '03' | '09') {
  const document = parse(xml);
  expect(document.attributes).toEqual({ xmlns: `urn:iso:std:iso:20022:tech:xsd:pain.001.001.${version}` });
  checkNode(document, version);
  const root = document.children[0] as PainNode;
  const groups = root.children.filter(({ name }) => name === 'PmtInf').map(readGroup);
  const amounts = groups.flatMap(({ payments }) => payments.map(({ amount }) => amount));
  const header = { count: getText(root, 'GrpHdr/NbOfTxs'), sum: getText(root, 'GrpHdr/CtrlSum') };
  expect(header.count).toBe(String(amounts.length));
  expect(Number(header.sum)).toBeCloseTo(
    amounts.reduce((sum, amount) => sum + Number(amount), 0),
    6,
  );
  return { ...header, initiator: getText(root, 'GrpHdr/InitgPty/Nm'), groups };
}

function readGroup(group: PainNode) {
  return {
    debtor: getText(group, 'Dbtr/Nm'),
    account: getText(group, 'DbtrAcct/Id/Othr/Id'),
    currency: getText(group, 'DbtrAcct/Ccy'),
    day: getText(group, 'ReqdExctnDt/Dt') ?? getText(group, 'ReqdExctnDt'),
    count: getText(group, 'NbOfTxs'),
    payments: group.children.filter(({ name }) => name === 'CdtTrfTxInf').map(readPayment),
  };
}

function readPayment(payment: PainNode) {
  return {
    endToEndId: getText(payment, 'PmtId/EndToEndId'),
    remittance: getText(payment, 'RmtInf/Ustrd'),
    amount: getText(payment, 'Amt/InstdAmt'),
    currency: findNode(payment, 'Amt/InstdAmt')?.attributes.Ccy,
    creditor: getText(payment, 'Cdtr/Nm'),
    country: getText(payment, 'Cdtr/PstlAdr/Ctry'),
    account: getText(payment, 'CdtrAcct/Id/Othr/Id'),
    system: getText(payment, 'CdtrAgt/FinInstnId/ClrSysMmbId/ClrSysId/Cd'),
    member: getText(payment, 'CdtrAgt/FinInstnId/ClrSysMmbId/MmbId'),
  };
}

function checkNode(node: PainNode, version: '03' | '09', parent = ''): void {
  if (node.name === 'ReqdExctnDt') {
    expect(version === '03' ? textPatterns.Dt?.test(node.text) : getText(node, 'Dt') !== undefined).toBe(
      true,
    );
    return;
  }
  // An account is Id/Othr/Id with at most 34 characters; the inner Id is the number.
  const sequence =
    node.name === 'Id' && parent !== 'Othr' ? ['Othr'] : node.name === 'Othr' ? ['Id'] : sequences[node.name];
  if (!sequence) {
    const pattern = node.name === 'Id' ? /^\S(?:.{0,32}\S)?$/u : textPatterns[node.name];
    expect({ name: node.name, form: pattern, text: node.text }).toMatchObject({ form: expect.anything() });
    expect(node.text, node.name).toMatch(pattern as RegExp);
    if (node.name === 'InstdAmt') expect(node.attributes.Ccy).toMatch(/^[A-Z]{3}$/);
    return;
  }
  const order = sequence.map(
    (child) =>
      `(?:${child.replace(/[?*]$/, '')} )${child.endsWith('*') ? '+' : child.endsWith('?') ? '?' : ''}`,
  );
  const names = node.children.map(({ name }) => `${name} `).join('');
  expect(names, node.name).toMatch(new RegExp(`^${order.join('')}$`));
  expect(node.text.trim()).toBe('');
  for (const child of node.children) checkNode(child, version, node.name);
}

function findNode(node: PainNode, path: string): PainNode | undefined {
  return path
    .split('/')
    .reduce<PainNode | undefined>(
      (parent, name) => parent?.children.find((child) => child.name === name),
      node,
    );
}

function getText(node: PainNode, path: string): string | undefined {
  const element = findNode(node, path);
  return element?.children.length === 0 ? element.text : undefined;
}

function parse(xml: string): PainNode {
  const root: PainNode = { name: '', attributes: {}, children: [], text: '' };
  const stack = [root];
  const parser = sax.parser(true);
  parser.onopentag = ({ name, attributes }) => {
    const node = { name, attributes: attributes as Record<string, string>, children: [], text: '' };
    stack.at(-1)?.children.push(node);
    stack.push(node);
  };
  parser.ontext = (text) => {
    (stack.at(-1) as PainNode).text += text;
  };
  parser.onclosetag = () => {
    stack.pop();
  };
  parser.onerror = (error) => {
    throw error;
  };
  parser.write(xml).close();
  return root.children[0] as PainNode;
}
