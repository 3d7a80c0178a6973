import type { MessageLanguage } from '../message/language.ts';

/** The fixed texts of an invoice. */
export type InvoiceLabels = {
  title: string;
  number: string;
  date: string;
  due: string;
  paidOn: string;
  status: Record<'open' | 'paid' | 'void', string>;
  statusName: string;
  to: string;
  from: string;
  description: string;
  quantity: string;
  amount: string;
  total: string;
  pay: string;
  /** The text at the end of a voided invoice. */
  voided: string;
  sandbox: string;
};

export const invoiceLabels: Record<MessageLanguage, InvoiceLabels> = {
  en: {
    title: 'Invoice',
    number: 'Number',
    date: 'Date',
    due: 'Due',
    paidOn: 'Paid on',
    status: { open: 'Unpaid', paid: 'Paid', void: 'Void' },
    statusName: 'Status',
    to: 'Bill to',
    from: 'From',
    description: 'Description',
    quantity: 'Quantity',
    amount: 'Amount',
    total: 'Total',
    pay: 'Pay by bank or wallet transfer:',
    voided: 'The subscription was cancelled. No payment is due.',
    sandbox: 'TEST: not a valid invoice',
  },
  zh: {
    title: '账单',
    number: '编号',
    date: '日期',
    due: '到期日',
    paidOn: '付款日期',
    status: { open: '待付款', paid: '已付款', void: '已作废' },
    statusName: '状态',
    to: '客户',
    from: '商家',
    description: '项目',
    quantity: '数量',
    amount: '金额',
    total: '合计',
    pay: '请通过银行或电子钱包转账付款：',
    voided: '订阅已取消，无需付款。',
    sandbox: '测试：非有效账单',
  },
  th: {
    title: 'ใบแจ้งหนี้',
    number: 'เลขที่',
    date: 'วันที่',
    due: 'ครบกำหนด',
    paidOn: 'ชำระเมื่อ',
    status: { open: 'รอชำระ', paid: 'ชำระแล้ว', void: 'ยกเลิกแล้ว' },
    statusName: 'สถานะ',
    to: 'ลูกค้า',
    from: 'ร้านค้า',
    description: 'รายการ',
    quantity: 'จำนวน',
    amount: 'จำนวนเงิน',
    total: 'รวม',
    pay: 'ชำระเงินด้วยการโอนผ่านธนาคารหรือวอลเล็ต:',
    voided: 'การสมัครสมาชิกถูกยกเลิกแล้ว ไม่ต้องชำระเงิน',
    sandbox: 'ทดสอบ: ไม่ใช่ใบแจ้งหนี้ที่ใช้ได้จริง',
  },
};
