import type { englishRefusals } from "./english-refusals.ts";

export const chineseRefusals: typeof englishRefusals = {
  unprunable: {
    incomplete: "消息尚未完成。完成后即可选择其片段。",
    unsettled_tool: "此消息的一个工具尚未结束。结束后即可选择其片段。",
    unknown_part: "消息中有此处不认识的片段类型，保持原样。",
    too_large: "消息超出了修剪允许的大小，保持原样。",
    malformed: "无法理解所存储的消息，保持原样。",
  },
  unprunableShort: {
    incomplete: "未完成",
    unsettled_tool: "工具未结束",
    unknown_part: "未知片段",
    too_large: "过大",
    malformed: "格式错误",
  },
  reasonsShort: {
    unavailable: "插件无响应",
    maintenance_required: "会话或数据库正忙",
    conflict: "之后有变化",
    not_deletable: "不可删除",
    unsupported_storage: "存储方式未知",
    ambiguous: "无法确定所指",
    vanished: "已不存在",
    incomplete: "未完成",
    folder_unusable: "文件夹不可用",
    unknown_outcome: "结果未知",
  },
  reasons: {
    unavailable: "插件在此位置没有响应。请安装插件或在那里启动 OpenCode，然后重试。",
    maintenance_required: "会话正在运行、压缩或有待定的回退，或数据库正忙。请等它结束后重试。",
    conflict: "预览之后消息发生了变化。请重新预览。",
    not_deletable: "这不是此会话中已完成的助手消息，或其中有不可删除的片段。",
    unsupported_storage: "插件不认识此服务器存储会话的方式，因此不会改动它。请更新插件。",
    ambiguous: "有两个片段看起来相同，无法确定所指，因此都保留；清理整个会话会一并删除。",
    vanished: "片段已不存在：它已被修剪或更改。无需再做任何事。",
    incomplete: "消息尚未完成。请在完成后重试。",
    unknown_outcome: "服务器没有答复，不知道是否已修剪。请重试：已删除的不会再删一次。",
  },
};
