import sax from 'sax';
import { expect } from 'vitest';

/**
 * The part of the schemas of pain.001.001.03 and .09 that the service writes, as a table: for each element its children
 * in the order of `xs:sequence`, `?` for those that may be missing, `*` for those that may come often.
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

/** What may stand in an element without children. */
const texts: Record<string, RegExp> = {
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

type Node = { name: string; attributes: Record<string, string>; children: Node[]; text: string };

/** Holds a file to the table, and its counts and sums to its payments; answers what it says. */
export function checkPain001(xml: string, version: '03' | '09') {
  const document = parse(xml);
  expect(document.attributes).toEqual({ xmlns: `urn:iso:std:iso:20022:tech:xsd:pain.001.001.${version}` });
  check(document, version);
  const root = document.children[0] as Node;
  const groups = root.children.filter(({ name }) => name === 'PmtInf').map(readGroup);
  const amounts = groups.flatMap(({ payments }) => payments.map(({ amount }) => amount));
  const header = { count: textAt(root, 'GrpHdr/NbOfTxs'), sum: textAt(root, 'GrpHdr/CtrlSum') };
  expect(header.count).toBe(String(amounts.length));
  expect(Number(header.sum)).toBeCloseTo(
    amounts.reduce((sum, amount) => sum + Number(amount), 0),
    6,
  );
  return { ...header, initiator: textAt(root, 'GrpHdr/InitgPty/Nm'), groups };
}

function readGroup(group: Node) {
  return {
    debtor: textAt(group, 'Dbtr/Nm'),
    account: textAt(group, 'DbtrAcct/Id/Othr/Id'),
    currency: textAt(group, 'DbtrAcct/Ccy'),
    day: textAt(group, 'ReqdExctnDt/Dt') ?? textAt(group, 'ReqdExctnDt'),
    count: textAt(group, 'NbOfTxs'),
    payments: group.children.filter(({ name }) => name === 'CdtTrfTxInf').map(readPayment),
  };
}

function readPayment(payment: Node) {
  return {
    endToEndId: textAt(payment, 'PmtId/EndToEndId'),
    remittance: textAt(payment, 'RmtInf/Ustrd'),
    amount: textAt(payment, 'Amt/InstdAmt'),
    currency: at(payment, 'Amt/InstdAmt')?.attributes.Ccy,
    creditor: textAt(payment, 'Cdtr/Nm'),
    country: textAt(payment, 'Cdtr/PstlAdr/Ctry'),
    account: textAt(payment, 'CdtrAcct/Id/Othr/Id'),
    system: textAt(payment, 'CdtrAgt/FinInstnId/ClrSysMmbId/ClrSysId/Cd'),
    member: textAt(payment, 'CdtrAgt/FinInstnId/ClrSysMmbId/MmbId'),
  };
}

function check(node: Node, version: '03' | '09', parent = ''): void {
  if (node.name === 'ReqdExctnDt') {
    expect(version === '03' ? texts.Dt?.test(node.text) : textAt(node, 'Dt') !== undefined).toBe(true);
    return;
  }
  // An account is Id/Othr/Id with at most 34 characters; the inner Id is the number.
  const sequence =
    node.name === 'Id' && parent !== 'Othr' ? ['Othr'] : node.name === 'Othr' ? ['Id'] : sequences[node.name];
  if (!sequence) {
    const form = node.name === 'Id' ? /^\S(?:.{0,32}\S)?$/u : texts[node.name];
    expect({ name: node.name, form, text: node.text }).toMatchObject({ form: expect.anything() });
    expect(node.text, node.name).toMatch(form as RegExp);
    if (node.name === 'InstdAmt') expect(node.attributes.Ccy).toMatch(/^[A-Z]{3}$/);
    return;
  }
  const order = sequence.map(
    (one) => `(?:${one.replace(/[?*]$/, '')} )${one.endsWith('*') ? '+' : one.endsWith('?') ? '?' : ''}`,
  );
  const names = node.children.map(({ name }) => `${name} `).join('');
  expect(names, node.name).toMatch(new RegExp(`^${order.join('')}$`));
  expect(node.text.trim()).toBe('');
  for (const child of node.children) check(child, version, node.name);
}

function at(node: Node, path: string): Node | undefined {
  return path
    .split('/')
    .reduce<Node | undefined>((found, name) => found?.children.find((child) => child.name === name), node);
}

function textAt(node: Node, path: string): string | undefined {
  const found = at(node, path);
  return found?.children.length === 0 ? found.text : undefined;
}

function parse(xml: string): Node {
  const top: Node = { name: '', attributes: {}, children: [], text: '' };
  const open = [top];
  const parser = sax.parser(true);
  parser.onopentag = ({ name, attributes }) => {
    const node = { name, attributes: attributes as Record<string, string>, children: [], text: '' };
    open.at(-1)?.children.push(node);
    open.push(node);
  };
  parser.ontext = (text) => {
    (open.at(-1) as Node).text += text;
  };
  parser.onclosetag = () => {
    open.pop();
  };
  parser.onerror = (error) => {
    throw error;
  };
  parser.write(xml).close();
  return top.children[0] as Node;
}
