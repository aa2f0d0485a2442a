package magneto;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON as maps, lists, strings, numbers (Long or Double), booleans and null. */
final class Json {
  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  static Object read(String text) {
    Json json = new Json(text);
    Object value = json.value();
    json.skipBlanks();
    if (json.at != text.length()) throw json.wrong();
    return value;
  }

  static String write(Object value) {
    StringBuilder out = new StringBuilder();
    write(value, out);
    return out.toString();
  }

  private static void write(Object value, StringBuilder out) {
    if (value instanceof Map) {
      String separator = "{";
      for (Map.Entry<?, ?> member : ((Map<?, ?>) value).entrySet()) {
        writeText(out.append(separator), String.valueOf(member.getKey()));
        write(member.getValue(), out.append(':'));
        separator = ",";
      }
      out.append(separator.equals("{") ? "{}" : "}");
    } else if (value instanceof Iterable) {
      String separator = "[";
      for (Object element : (Iterable<?>) value) {
        write(element, out.append(separator));
        separator = ",";
      }
      out.append(separator.equals("[") ? "[]" : "]");
    } else if (value == null || value instanceof Number || value instanceof Boolean) {
      out.append(value);
    } else {
      writeText(out, value.toString());
    }
  }

  private static void writeText(StringBuilder out, String text) {
    out.append('"');
    for (char c : text.toCharArray()) {
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ') {
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    out.append('"');
  }

  private IllegalArgumentException wrong() {
    return new IllegalArgumentException("no JSON at " + at + ": " + text);
  }

  private void skipBlanks() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
  }

  private boolean take(String word) {
    skipBlanks();
    if (!text.startsWith(word, at)) return false;
    at += word.length();
    return true;
  }

  private void expect(String word) {
    if (!take(word)) throw wrong();
  }

  private Object value() {
    if (take("{")) return object();
    if (take("[")) return array();
    if (take("\"")) return string();
    if (take("true")) return true;
    if (take("false")) return false;
    if (take("null")) return null;
    return number();
  }

  private Map<String, Object> object() {
    Map<String, Object> members = new LinkedHashMap<>();
    if (take("}")) return members;
    do {
      expect("\"");
      String name = string();
      expect(":");
      members.put(name, value());
    } while (take(","));
    expect("}");
    return members;
  }

  private List<Object> array() {
    List<Object> elements = new ArrayList<>();
    if (take("]")) return elements;
    do {
      elements.add(value());
    } while (take(","));
    expect("]");
    return elements;
  }

  private String string() {
    StringBuilder out = new StringBuilder();
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c == '"') return out.toString();
      out.append(c == '\\' ? escaped() : c);
    }
    throw wrong();
  }

  private char escaped() {
    if (at == text.length()) throw wrong();
    char c = text.charAt(at++);
    int named = "bfnrt".indexOf(c);
    if (named >= 0) return "\b\f\n\r\t".charAt(named);
    if (c != 'u') return c;
    if (at + 4 > text.length()) throw wrong();
    at += 4;
    return (char) Integer.parseInt(text.substring(at - 4, at), 16);
  }

  private Object number() {
    int start = at;
    while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) at++;
    String digits = text.substring(start, at);
    if (digits.isEmpty()) throw wrong();
    if (digits.matches("-?\\d{1,18}")) return Long.valueOf(digits);
    return Double.valueOf(digits);
  }
}
