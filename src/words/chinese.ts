import { shellWord } from "../text/index.ts";
import { chineseKeys } from "./chinese-keys.ts";
import { chinesePlugin } from "./chinese-plugin.ts";
import { chineseRefusals } from "./chinese-refusals.ts";
import type { Quantities } from "./quantities.ts";
import type { Words } from "./words.ts";

/** Simplified Chinese. It has no plural forms; numbers take a measure word. */
export function chinese(say: Quantities): Words {
  const parts = (n: number) => `${say.count(n)} 个片段`;
  const messages = (n: number) => `${say.count(n)} 条消息`;
  const sessions = (n: number) => `${say.count(n)} 个会话`;
  const requests = (n: number) => `${say.count(n)} 次请求`;

  return {
    say,
    parts,
    messages,
    sessions,

    screens: {
      sessions: "会话",
      parts: "片段",
      detail: "片段内容",
      select: "选择",
      preview: "预览",
      cleanup: "清理整个会话",
      interrupted: "中断的清理",
      progress: "正在修剪",
      summary: "结果",
      found: "搜索",
      plugin: "插件",
      events: "事件",
      help: "按键",
      prompt: "输入时",
      everywhere: "任何位置",
    },
    untitled: "（无标题）",
    unknownSession: "（不在列表中的会话）",

    columns: {
      title: "标题",
      location: "位置",
      updated: "更新",
      messages: "消息",
      parts: "片段",
      bytes: "技术内容",
      share: "占比",
      state: "状态",
      status: "状态",
      age: "时间",
      size: "大小",
    },
    activity: {
      idle: "空闲",
      running: "运行中",
      suspended: "已挂起",
      reverted: "已回退",
      compacting: "压缩中",
      refreshing: "刷新中",
    },
    sorts: {
      technical: "技术字节",
      share: "占比",
      parts: "技术片段",
      messages: "消息数",
      updated: "更新时间",
      title: "标题",
      location: "位置",
      oldest: "最旧在前",
      newest: "最新在前",
      largest: "最大在前",
    },
    sortedBy: (sort) => `按${sort}`,
    quoted: (text) => `“${text}”`,
    filteredBy: (filter) => `筛选“${filter}”`,
    someOf: (shown, all) => (shown === all ? say.count(all) : `${say.count(shown)} / ${say.count(all)}`),
    shown: { technical: "工具和推理", tool: "仅工具", reasoning: "仅推理" },
    partTypes: { tool: "工具", reasoning: "推理" },
    statuses: { streaming: "传输中", running: "运行中", completed: "已完成", error: "出错" },
    inSession: (session, message) => `${message}，${session}`,
    messageNumber: (number, moment) => `消息 ${say.count(number)}，${moment}`,
    partsOf: (session) => `${session} 的片段`,
    spoken: {
      row: (row, all) => `第 ${say.count(row)} 行，共 ${say.count(all)} 行`,
      changed: "有变化",
      unconfirmed: "尚未确认",
      selected: "已选择",
      notSelected: "未选择",
      notSelectable: "不能选择",
      share: (share) => `占会话 ${share}`,
      messages,
      updated: (ago) => `${ago}更新`,
      folded: "已折叠",
      match: "匹配",
    },

    empty: {
      connecting: "正在读取会话列表…",
      sessions: "此服务器没有会话。",
      filtered: "没有符合筛选的内容。按 Esc 清除筛选。",
      reading: "正在读取片段…",
      parts: "此会话没有技术片段，这里没有可修剪的内容。",
      notShown: "没有所显示类型的片段。按 x 显示全部技术片段。",
      events: "尚未发生任何事。任何人的修剪都会即时显示在这里。",
      preview: "所选内容都不能修剪。",
      content: "正在读取内容…",
      vanished: "此片段已不在存储中：它已被修剪，或所在消息已变化。",
    },

    connection: {
      connecting: "正在连接",
      live: "实时",
      lost: "正在重新连接",
      reconnecting: "正在重新连接",
      reconciling: "正在核对",
    },
    retryIn: (duration) => `${duration}后重试`,
    reads: { plugin: "读取：插件", native: "读取：API" },
    cache: {
      kept: "缓存：已保存",
      set_aside: "缓存：已搁置",
      off: "缓存：关闭",
      reading: (n) => `正在读取 ${sessions(n)}`,
      unconfirmed: (n) => `${sessions(n)}待确认`,
    },

    totals: (selected, share) =>
      `已选：${messages(selected.messages)}中的 ${parts(selected.parts)}，${say.bytes(selected.bytes)}${
        share === undefined ? "" : `，占会话 ${say.share(share)}`
      }`,
    sessionTotals: (n, bytes) => `${parts(n)}，技术内容 ${say.bytes(bytes)}`,
    selectedElsewhere: (n, inSessions) => `已选：${sessions(inSessions)}中的 ${parts(n)}。按 p 预览。`,

    messagesToUser: {
      vanished: (n) => `${parts(n)}已离开选择：其他人修剪或更改了它。`,
      nothingSelected: "没有选择任何内容。按空格键选择光标所在的片段。",
      nothingAdded: "所显示的内容中没有更多可以这样选择的片段。",
      pluginMissing: "修剪需要插件，而此服务器没有插件。按 i 安装。",
      notFound: "未找到。",
      noSuchSession: (id) => `此服务器没有会话 ${id}。`,
      busy: "正在修剪。请等待完成，或先停止它。",
      nothingTechnical: "该消息没有技术片段，因此不在此列表中。",
      discarded: "已放弃此清理，其余内容不会再修剪。",
      notInterrupted: "此清理已不再中断：另一个 opencode-prune 已接手。",
      cleanupFailed: (problem) => `清理中断：${problem}`,
    },
    folderUnusable: (directory) =>
      `OpenCode 无法在会话的文件夹中工作，那里没有插件可以响应。文件夹通常已不存在：请在服务器上重建（mkdir -p ${shellWord(directory)}），然后重试。`,

    prompts: {
      filter: "筛选：",
      search: "查找：",
      size: "选择大于此大小的片段（如 100k 或 2 MB）：",
      age: "保留最新的多少条消息，选择其余：",
      content: "搜索所有会话的内容：",
      sessionContent: "搜索此会话的内容：",
      confirm: (n) => `输入 ${n} 以永久修剪 ${parts(n)}：`,
      refused: {
        filter: "",
        search: "",
        content: "请输入要搜索的文字。",
        sessionContent: "请输入要搜索的文字。",
        size: "这不是大小。请写成 900、100k 或 2 MB。",
        age: "这不是消息数。",
        confirm: "数字不符。没有修剪任何内容。",
      },
    },

    select: {
      tools: "全部工具",
      reasoning: "全部推理",
      tool: (name) => `工具 ${name}`,
      size: "大于…",
      age: "除最新消息以外…",
      invert: "反选",
      none: "全部不选",
    },

    preview: {
      planning: "正在重新读取所选内容…",
      planningOf: (done, total) => `正在重新读取：${say.count(done)} / ${messages(total)}…`,
      failed: (problem) => `未能生成预览：${problem} 按 R 重试。`,
      goes: (n, bytes) => `删除：${parts(n)}，${say.bytes(bytes)}`,
      stays: (n, bytes) => `保留：${parts(n)}，${say.bytes(bytes)}`,
      refused: (n) => `拒绝：${parts(n)}`,
      outdated: "之后有变化，将被拒绝",
      verdict: (n, bytes, inMessages) =>
        `将永久删除 ${messages(inMessages)}中的 ${parts(n)}（${say.bytes(bytes)}）。`,
      refusals: (n) => `${messages(n)}不会请求修剪。`,
      irreversible: "此操作不可撤销。只有按 y 才会修剪，其他键都不会。",
      irreversibleTyped: (n) => `此操作不可撤销。按 y 后还需输入数字 ${n} 才会修剪。`,
      running: "正在修剪…",
    },
    cleanup: {
      planningOf: (done, total) => `正在重新读取：${say.count(done)} / ${sessions(total)}…`,
      eligible: "可修剪",
      skipped: "跳过",
      refused: "被拒绝",
      nothing: "没有可修剪的内容",
      notDurable: (problem) => `若被切断将无法继续：${problem}`,
      totals: (eligible, skipped, refused) =>
        `${sessions(eligible)}可修剪，跳过 ${parts(skipped)}，${sessions(refused)}被拒绝`,
      verdict: (n, bytes, inMessages, sent) =>
        `将永久删除 ${messages(inMessages)}中的 ${parts(n)}（${say.bytes(bytes)}），共 ${requests(sent)}。`,
    },
    interrupted: {
      offer: (cleanups, n) =>
        cleanups === 1
          ? `有一个中断的清理，还剩 ${messages(n)}：按 u 查看。`
          : `有 ${say.count(cleanups)} 个中断的清理，还剩 ${messages(n)}：按 u 查看。`,
      none: "没有中断的清理。",
      left: (n, inSessions) => `${sessions(inSessions)}中还剩 ${messages(n)}`,
      unknown: "它被中途切断。继续时会先重新读取其会话，然后才发送请求。",
      more_to_do: "它被停止了。继续时会先重新读取其会话，然后发送其余请求。",
      choices: "按 r 继续，按 d 放弃，按 Esc 留待以后。",
      willDelete: (n, bytes, inMessages) =>
        `将永久删除 ${messages(inMessages)}中的至多 ${parts(n)}（${say.bytes(bytes)}）。`,
      askResume: "此操作不可撤销。只有按 y 才会继续，其他键都不会。",
      willForget: (n) => `将忘记剩余的部分；${messages(n)}保持原样。`,
      askDiscard: "之后无法再继续。只有按 y 才会放弃，其他键都不会。",
    },
    found: {
      count: (n) => `找到 ${say.count(n)} 条`,
      everywhere: "所有会话",
      searching: "正在搜索",
      done: "完成",
      stopped: "已停止",
      full: "已停止：结果多于所能显示，请搜索更少见的文字",
      failed: (problem) => `搜索中断：${problem}`,
      searched: (n) => `已搜索 ${messages(n)}`,
      skipped: (n) => `跳过 ${say.count(n)} 条`,
      through: { plugin: "经由插件", published: "经由公开版插件", native: "经由 API" },
      kinds: { text: "文本", tool: "工具", reasoning: "推理" },
      nothing: "已搜索的消息都不包含此文字。",
      pruned: "之后已修剪",
    },
    progress: {
      line: (done, total) => `${say.count(done)} / ${messages(total)}`,
      pruned: (n, bytes) => `已修剪 ${parts(n)}，${say.bytes(bytes)}`,
      rate: (bytesPerSecond) => `${say.bytes(bytesPerSecond)}/秒`,
      left: (duration) => `剩余 ${duration}`,
      howToStop: "按 Esc 在当前请求之后停止。届时已修剪的不会恢复。",
      stopping: "将在当前请求之后停止…",
    },
    summary: {
      pruned: (n, inMessages, bytes) =>
        `已修剪 ${messages(inMessages)}中的 ${parts(n)}：${say.bytes(bytes)}。`,
      nothing: "没有修剪任何内容。",
      skipped: (n) => `跳过 ${messages(n)}：在此之前已停止。`,
      refused: (n) => `${messages(n)}被拒绝：`,
      allDone: "没有被拒绝的内容。",
      again: "按 r 重新预览可以重试的内容。",
      failed: (problem) => `修剪中断：${problem} 结果未知，请先查看再重试。`,
    },
    events: {
      pruned: (session, byUs) => `${byUs ? "在此修剪" : "在别处修剪"}：${session} 的一条消息`,
      connected: "已连接",
      lost: (problem) => `连接已断开：${problem}`,
      reconciled: (all, reread) => `已核对：比较了 ${sessions(all)}，重新读取 ${say.count(reread)} 个`,
      problem: (problem) => `问题：${problem}`,
    },
    detail: {
      reasoning: "推理",
      input: "输入",
      output: "输出",
      error: "错误",
      metadata: "元数据",
      attachment: (type, mime, name, size) => [type || "文件", name, mime, size].filter(Boolean).join("，"),
      failed: (problem) => `未能读取内容：${problem}`,
      searching: (search) => `查找“${search}”`,
    },
    leaving: {
      asked: "正在修剪。再按 q 在当前请求之后停止并退出，其他键留下。",
      stopping: "将在当前请求之后停止，然后退出…",
    },
    tooSmall: (columns, rows) => `请放大终端：至少 ${columns} × ${rows}。`,
    crashed: (log) => `opencode-prune 因自身故障而停止，没有因此修剪任何内容。故障位置记录在 ${log}。`,
    crashedWithoutLog: "opencode-prune 因自身故障而停止，且未能写入日志；没有因此修剪任何内容。",

    ...chineseRefusals,
    ...chinesePlugin,
    ...chineseKeys,
  };
}
