import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessageUnpacker;
import org.msgpack.jackson.dataformat.MessagePackExtensionType;
import org.msgpack.jackson.dataformat.MessagePackFactory;
import org.msgpack.value.ExtensionValue;
import org.msgpack.value.Value;

/**
 * Reads values with one MessagePack library and writes them again.
 *
 * <p>Usage: Filter LIBRARY. Each line of the standard input is a message in hexadecimal. Each line of the output is a JSON
 * object: {"read": description, "write": hexadecimal}, where "read_error" or "write_error" replaces a part that the
 * library refused. The grammar of descriptions is in describe.go.
 */
public final class Filter {
    private interface Library {
        Object read(byte[] message) throws Exception;

        byte[] write(Object value) throws Exception;
    }

    /** The values of msgpack-core. */
    private static final class Core implements Library {
        @Override
        public Object read(byte[] message) throws Exception {
            try (MessageUnpacker unpacker = MessagePack.newDefaultUnpacker(message)) {
                Value value = unpacker.unpackValue();
                if (unpacker.hasNext()) {
                    throw new IllegalArgumentException("bytes after the value");
                }
                return value;
            }
        }

        @Override
        public byte[] write(Object value) throws Exception {
            try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
                packer.packValue((Value) value);
                return packer.toByteArray();
            }
        }
    }

    /** The values of Jackson. */
    private static final class Jackson implements Library {
        private final ObjectMapper mapper = new ObjectMapper(new MessagePackFactory());

        @Override
        public Object read(byte[] message) throws Exception {
            return mapper.readValue(message, Object.class);
        }

        @Override
        public byte[] write(Object value) throws Exception {
            return mapper.writeValueAsBytes(value);
        }
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static String describe(Object v) {
        if (v == null) {
            return "n";
        } else if (v instanceof Value) {
            return describeValue((Value) v);
        } else if (v instanceof Boolean) {
            return (Boolean) v ? "t" : "f";
        } else if (v instanceof Integer || v instanceof Long || v instanceof BigInteger) {
            return "i" + v;
        } else if (v instanceof Float || v instanceof Double) {
            return describeFloat(((Number) v).doubleValue());
        } else if (v instanceof String) {
            return "s" + hex(((String) v).getBytes(StandardCharsets.UTF_8));
        } else if (v instanceof byte[]) {
            return "b" + hex((byte[]) v);
        } else if (v instanceof Instant) {
            return describeTime((Instant) v);
        } else if (v instanceof MessagePackExtensionType) {
            MessagePackExtensionType ext = (MessagePackExtensionType) v;
            return "x" + ext.getType() + "/" + hex(ext.getData());
        } else if (v instanceof List) {
            List<String> elements = new ArrayList<>();
            for (Object element : (List<?>) v) {
                elements.add(describe(element));
            }
            return "[" + String.join(",", elements) + "]";
        } else if (v instanceof Map) {
            List<String> entries = new ArrayList<>();
            for (Map.Entry<?, ?> entry : ((Map<?, ?>) v).entrySet()) {
                entries.add(describe(entry.getKey()) + "=" + describe(entry.getValue()));
            }
            Collections.sort(entries);
            return "{" + String.join(",", entries) + "}";
        }
        return "?" + v.getClass().getName();
    }

    private static String describeValue(Value v) {
        switch (v.getValueType()) {
            case NIL:
                return "n";
            case BOOLEAN:
                return v.asBooleanValue().getBoolean() ? "t" : "f";
            case INTEGER:
                return "i" + v.asIntegerValue().toBigInteger();
            case FLOAT:
                return describeFloat(v.asFloatValue().toDouble());
            case STRING:
                return "s" + hex(v.asStringValue().asByteArray());
            case BINARY:
                return "b" + hex(v.asBinaryValue().asByteArray());
            case ARRAY:
                return describe(v.asArrayValue().list());
            case MAP:
                return describe(v.asMapValue().map());
            case EXTENSION:
                if (v.isTimestampValue()) {
                    return describeTime(v.asTimestampValue().toInstant());
                }
                ExtensionValue ext = v.asExtensionValue();
                return "x" + ext.getType() + "/" + hex(ext.getData());
            default:
                return "?" + v.getValueType();
        }
    }

    private static String describeFloat(double d) {
        return String.format("d%016x", Double.doubleToRawLongBits(d));
    }

    private static String describeTime(Instant t) {
        return String.format("T%d.%09d", t.getEpochSecond(), t.getNano());
    }

    private static Map<String, String> answer(Library library, byte[] message) {
        Map<String, String> answer = new LinkedHashMap<>();
        Object value;
        try {
            value = library.read(message);
            answer.put("read", describe(value));
        } catch (Exception | StackOverflowError | OutOfMemoryError e) {
            answer.put("read_error", e.toString());
            return answer;
        }
        try {
            answer.put("write", hex(library.write(value)));
        } catch (Exception | StackOverflowError | OutOfMemoryError e) {
            answer.put("write_error", e.toString());
        }
        return answer;
    }

    public static void main(String[] args) throws Exception {
        Library library;
        switch (args[0]) {
            case "msgpack-core":
                library = new Core();
                break;
            case "jackson-dataformat-msgpack":
                library = new Jackson();
                break;
            default:
                throw new IllegalArgumentException(args[0]);
        }
        ObjectMapper json = new ObjectMapper();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            out.print(json.writeValueAsString(answer(library, HexFormat.of().parseHex(line))) + "\n");
            out.flush();
        }
    }
}
