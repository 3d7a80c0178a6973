import { type MailContent, writeMail } from '../mail.ts';
import type { TeamLanguage } from '../team-language.ts';
import { formatUtcMinute } from '../utc-minute.ts';

/** Changes to a user's sign-in settings that are reported by email. */
export const accountNotices = [
  'password_changed',
  'two_factor_enabled',
  'two_factor_disabled',
  'recovery_code_used',
  'recovery_codes_regenerated',
] as const;
export type AccountNotice = (typeof accountNotices)[number];

type AccountNoticeMailFacts = {
  notice: AccountNotice;
  at: Date;
  /** The IP address of the request; null for a command. */
  ipAddress: string | null;
  url: string;
};

type AccountNoticeMailStrings = {
  subjects: Record<AccountNotice, string>;
  texts: Record<AccountNotice, string>;
  time: string;
  from: string;
  commandLine: string;
  warning: string;
  button: string;
};

const translations: Record<TeamLanguage, AccountNoticeMailStrings> = {
  en: {
    subjects: {
      password_changed: 'Your password was changed',
      two_factor_enabled: 'Two-factor authentication was turned on',
      two_factor_disabled: 'Two-factor authentication was turned off',
      recovery_code_used: 'A recovery code was used',
      recovery_codes_regenerated: 'Your recovery codes were replaced',
    },
    texts: {
      password_changed: 'Your password was changed, and you were signed out of all other devices.',
      two_factor_enabled:
        'From now on, you need your password and a code from your authenticator app to sign in.',
      two_factor_disabled: 'From now on, you only need your password to sign in.',
      recovery_code_used:
        'One of your recovery codes was used instead of a code from your authenticator app. It cannot be used again.',
      recovery_codes_regenerated: 'New recovery codes were created. The previous ones no longer work.',
    },
    time: 'Time (UTC)',
    from: 'From',
    commandLine: 'The operator of this service',
    warning:
      'If this was not you, reset your password now (“Forgot your password?” on the sign-in page) and contact the owner of your account.',
    button: 'Review your sign-in settings',
  },
  zh: {
    subjects: {
      password_changed: '您的密码已更改',
      two_factor_enabled: '两步验证已启用',
      two_factor_disabled: '两步验证已关闭',
      recovery_code_used: '一个恢复码已被使用',
      recovery_codes_regenerated: '您的恢复码已更换',
    },
    texts: {
      password_changed: '您的登录密码已更改，您在其他所有设备上均已退出登录。',
      two_factor_enabled: '从现在起，登录时除密码外，还需输入身份验证器应用中的验证码。',
      two_factor_disabled: '从现在起，仅凭密码即可登录。',
      recovery_code_used: '您的一个恢复码已代替验证码用于登录，无法再次使用。',
      recovery_codes_regenerated: '已生成新的恢复码，旧的恢复码不再有效。',
    },
    time: '时间（UTC）',
    from: '来源',
    commandLine: '服务的运营方',
    warning: '如非本人操作，请立即重置密码（登录页面上的“Forgot your password?”），并联系账户所有者。',
    button: '查看登录设置',
  },
  th: {
    subjects: {
      password_changed: 'รหัสผ่านของคุณถูกเปลี่ยนแล้ว',
      two_factor_enabled: 'เปิดใช้การยืนยันตัวตนสองขั้นตอนแล้ว',
      two_factor_disabled: 'ปิดการยืนยันตัวตนสองขั้นตอนแล้ว',
      recovery_code_used: 'มีการใช้รหัสกู้คืนหนึ่งรหัส',
      recovery_codes_regenerated: 'รหัสกู้คืนของคุณถูกเปลี่ยนแล้ว',
    },
    texts: {
      password_changed: 'รหัสผ่านของคุณถูกเปลี่ยน และระบบได้ออกจากระบบของคุณในอุปกรณ์อื่นทั้งหมดแล้ว',
      two_factor_enabled: 'จากนี้ไปการเข้าสู่ระบบต้องใช้ทั้งรหัสผ่านและรหัสจากแอปยืนยันตัวตน',
      two_factor_disabled: 'จากนี้ไปใช้เพียงรหัสผ่านก็เข้าสู่ระบบได้',
      recovery_code_used: 'รหัสกู้คืนหนึ่งรหัสถูกใช้แทนรหัสยืนยัน และใช้ซ้ำไม่ได้อีก',
      recovery_codes_regenerated: 'สร้างรหัสกู้คืนชุดใหม่แล้ว รหัสชุดเดิมใช้ไม่ได้อีก',
    },
    time: 'เวลา (UTC)',
    from: 'จาก',
    commandLine: 'ผู้ดูแลบริการ',
    warning:
      'หากคุณไม่ได้เป็นผู้ดำเนินการ โปรดรีเซ็ตรหัสผ่านทันที (“Forgot your password?” ที่หน้าเข้าสู่ระบบ) และติดต่อเจ้าของบัญชี',
    button: 'ตรวจสอบการตั้งค่าการเข้าสู่ระบบ',
  },
};

/** An email that reports a change to a user's sign-in settings and says what to do if it is unexpected. */
export function accountNoticeMail(language: TeamLanguage, facts: AccountNoticeMailFacts): MailContent {
  const strings = translations[language];
  const { notice, at, ipAddress, url } = facts;
  return writeMail({
    language,
    sender: 'Causeway',
    subject: strings.subjects[notice],
    blocks: [
      strings.texts[notice],
      {
        facts: [
          [strings.time, formatUtcMinute(at)],
          [strings.from, ipAddress ?? strings.commandLine],
        ],
      },
      strings.warning,
      { button: strings.button, url },
    ],
  });
}
